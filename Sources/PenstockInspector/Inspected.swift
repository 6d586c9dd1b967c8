// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes all signals, and gives this place in the chain a name in the inspector.
  ///
  /// ```swift
  /// let numbers = PassthroughSubject<Int, Never>()
  /// let cancellable = numbers.map { $0 * 2 }.inspected("doubled").sink { _ in }
  /// numbers.send(1)
  /// let stream = Inspector.snapshot()["doubled"]!
  /// print(stream.title, stream["doubled"]!.counts!.values)
  /// // Prints "doubled 1"
  /// ```
  ///
  /// The name stands for a place, not for a stream: two subscribers of one publisher have links with the same name.
  /// This link counts its values whether the inspector counts or not.
  ///
  /// **Demand:** that of downstream, passed on.
  ///
  /// **Completion:** and **Failure:** passed on.
  ///
  /// **Concurrency:** every signal is passed on where it comes.
  ///
  /// Use `print()` to see each signal as it happens.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - file: The file that the inspector names.
  ///   - line: The line that the inspector names.
  /// - Returns: A publisher of the same values.
  @inlinable
  public func inspected(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> Publishers.Inspected<Self> {
    Publishers.Inspected(upstream: self, label: LinkState.Label(name, file: file, line: line))
  }

  /// Republishes all signals, gives this place in the chain a name in the inspector, and keeps texts of the latest values.
  ///
  /// The inspector shows values only as the texts that this closure returns. With two such places in one stream,
  /// ``Inspector/Stream/marbleTest(from:to:step:)`` makes a test from the signals that have passed them.
  ///
  /// The latest 32 signals are kept, whether the inspector counts or not.
  ///
  /// **Demand:** that of downstream, passed on.
  ///
  /// **Completion:** and **Failure:** passed on.
  ///
  /// **Concurrency:** every signal is passed on where it comes, and the closure is called there.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - describing: A closure that returns the text of a value, for each value. Leave out what is confidential.
  ///   - file: The file that the inspector names.
  ///   - line: The line that the inspector names.
  /// - Returns: A publisher of the same values.
  @inlinable
  public func inspected(
    _ name: String, file: StaticString = #fileID, line: UInt = #line, describing: @escaping (Output) -> String
  ) -> Publishers.Inspected<Self> {
    Publishers.Inspected(upstream: self, label: LinkState.Label(name, file: file, line: line), describing: describing)
  }
}

extension Publishers {
  /// A publisher whose place in a chain has a name in the inspector; see ``Publisher/inspected(_:file:line:)``.
  public struct Inspected<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher that is republished.
    public let upstream: Upstream
    @usableFromInline internal let label: LinkState.Label
    @usableFromInline internal let describing: ((Upstream.Output) -> String)?

    /// The name.
    public var name: String { label.text }

    @inlinable
    internal init(upstream: Upstream, label: LinkState.Label, describing: ((Upstream.Output) -> String)? = nil) {
      self.upstream = upstream
      self.label = label
      self.describing = describing
    }

    // Nothing is handed over, and nothing resides elsewhere: the link has to be an object to be seen.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      upstream.subscribe(
        ManagedSubscriber(InspectedStage<Upstream.Output, Upstream.Failure>(label, describing), to: subscriber),
        upstreamOf: S.self)
    }
  }
}

/// A stage that passes all signals on.
@usableFromInline
internal struct InspectedStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Output = Input
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let label: LinkState.Label
  @usableFromInline internal let record: LinkRecord
  @usableFromInline internal let describing: ((Input) -> String)?
  @usableFromInline internal let described: DescribedRing?

  @usableFromInline
  internal init(_ label: LinkState.Label, _ describing: ((Input) -> String)?) {
    self.label = label
    self.describing = describing
    described = describing == nil ? nil : DescribedRing()
    record = LinkRecord(linkCounting.value == .signals ? .signals : .values)
  }

  @inlinable
  internal static var name: String { "Inspected" }

  @inlinable
  internal static var rules: ManagedRules { .passing }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    record.note()
    if let describing { described?.append(describing(input)) }
    return .emit(input)
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Failure> {
    if let described {
      if case .failure = completion {
        described.appendEnd(isFailure: true)
      } else {
        described.appendEnd(isFailure: false)
      }
    }
    return completion
  }

  @usableFromInline
  internal func show(in link: inout LinkState) {
    link.label = label
    link.record = record
    link.described = described?.signals
  }
}
