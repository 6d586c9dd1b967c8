// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Stops the process if the upstream publisher fails.
  ///
  /// Use it if a failure would be a programming error. Values pass unchanged.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher
  ///   .tryMap { $0 * 10 }
  ///   .assertNoFailure("small numbers")
  ///   .sink { print($0) }
  /// // Prints "10", "20" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** `.finished` is forwarded.
  ///
  /// **Failure:** traps in all builds; the message is the prefix and the error.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// Use ``replaceError(with:)`` or ``catch(_:)`` to handle a failure that can happen, and ``breakpointOnError()`` to
  /// stop in the debugger.
  ///
  /// - Parameters:
  ///   - prefix: The text before the error in the message.
  ///   - file: The file name in the message.
  ///   - line: The line number in the message.
  /// - Returns: A publisher of the same values that cannot fail.
  @_alwaysEmitIntoClient
  public consuming func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// A publisher that stops the process if upstream fails; see ``Publisher/assertNoFailure(_:file:line:)``.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Upstream.Output, Never>

    /// The publisher that is expected not to fail.
    public let upstream: Upstream

    /// The text before the error in the message.
    public let prefix: String

    /// The file name in the message.
    public let file: StaticString

    /// The line number in the message.
    public let line: UInt

    /// Creates a publisher that stops the process if upstream fails.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: AssertNoFailureStage<Self.Output, Upstream.Failure> {
      AssertNoFailureStage(prefix: prefix, file: file, line: line)
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == Never {
      attach(subscriber)
    }
  }
}

extension Publishers.AssertNoFailure: TransparentOperator {}

@frozen
@usableFromInline
internal struct AssertNoFailureStage<Input, Failure: Error>: Stage, Sendable {
  @usableFromInline internal typealias Channel = ReplacingChannel<Failure, Never>

  @usableFromInline internal let prefix: String
  @usableFromInline internal let file: StaticString
  @usableFromInline internal let line: UInt

  @_alwaysEmitIntoClient
  internal init(prefix: String, file: StaticString, line: UInt) {
    self.prefix = prefix
    self.file = file
    self.line = line
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "AssertNoFailure" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Channel.Downstream> { .emit(input) }

  @usableFromInline
  internal func receive(completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Never> {
    switch completion {
    case .finished:
      .finished
    case .failure(let error):
      trap(asserting: prefix.isEmpty ? "\(error)" : "\(prefix): \(error)", file: file, line: line)
    }
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    [("file", file), ("line", line), ("prefix", prefix)]
  }
}

extension Publishers.AssertNoFailure: Sendable where Upstream: Sendable {}
