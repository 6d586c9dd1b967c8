// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Prints every event that passes in both directions.
  ///
  /// ![The values pass, and each event is written to the stream.](print)
  ///
  /// The stream itself is unchanged. Each line is printed before its event is passed on.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.print("numbers").sink { _ in }
  /// // Prints:
  /// // numbers: receive subscription: ([1, 2])
  /// // numbers: request unlimited
  /// // numbers: receive value: (1)
  /// // numbers: receive value: (2)
  /// // numbers: receive finished
  /// ```
  ///
  /// The other lines are `receive error: (…)`, `receive cancel`, `request max: (…)`, and
  /// `request max: (…) (synchronous)` for the demand that a subscriber returns for a value, unless that is `.none`.
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread. The text stream is never used by two threads at once; if another thread is
  /// writing, that thread also writes this line, after its own.
  ///
  /// Use ``handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)`` to run
  /// your own code for an event. `TimeLogger`, in `PenstockOperators`, puts the time before each line.
  ///
  /// - Parameters:
  ///   - prefix: The text before each line, followed by a colon; if it is empty, neither is printed.
  ///   - stream: The text stream to print to; standard output if `nil`. Each subscription starts with a copy of it.
  /// - Returns: A publisher of the same values.
  @_alwaysEmitIntoClient
  public consuming func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil)
    -> Publishers.Print<Self>
  {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}

extension Publishers {
  /// A publisher that prints every event that passes; see ``Publisher/print(_:to:)``.
  public struct Print<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose events are printed.
    public let upstream: Upstream

    /// The text before each line.
    public let prefix: String

    /// The text stream to print to; standard output if `nil`.
    public let stream: (any TextOutputStream)?

    /// Creates a publisher that prints every event that passes.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      upstream.subscribe(
        ObservingSubscriber(PrintStage<Self.Output, Failure>(prefix, LineWriter(stream)), to: subscriber))
    }
  }
}

@frozen
@usableFromInline
internal struct PrintStage<Input, Failure: Error>: ObservingStage {
  @usableFromInline internal let prefix: String
  /// The text before a value.
  @usableFromInline internal let opening: String
  @usableFromInline internal let writer: LineWriter
  @usableFromInline internal let describer = Describer<Input>()

  @inlinable
  internal init(_ prefix: String, _ writer: LineWriter) {
    self.prefix = prefix.isEmpty ? "" : prefix + ": "
    opening = self.prefix + "receive value: ("
    self.writer = writer
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Print" }

  @_alwaysEmitIntoClient
  internal static var observesAfterEnd: Bool { true }

  @_alwaysEmitIntoClient
  internal static var cancelsFirst: Bool { false }

  @_alwaysEmitIntoClient
  internal static var forwardsAfterEnd: Bool { true }

  @usableFromInline
  internal func observed(subscription: any Subscription) {
    writer.write("\(prefix)receive subscription: (\(subscription))")
  }

  @_alwaysEmitIntoClient
  internal func observed(value: Input) {
    let text = describer.describe(value)
    var line = ""
    line.reserveCapacity(opening.utf8.count + text.utf8.count + 1)
    line += opening
    line += text
    line += ")"
    writer.write(line)
  }

  @_alwaysEmitIntoClient
  internal func observed(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: writer.write("\(prefix)receive finished")
    case .failure(let error): writer.write("\(prefix)receive error: (\(error))")
    }
  }

  @usableFromInline
  internal func observed(request: Subscribers.Demand, isAnswer: Bool) {
    let amount = request.max.map { "max: (\($0))" } ?? "unlimited"
    writer.write("\(prefix)request \(amount)\(isAnswer ? " (synchronous)" : "")")
  }

  @usableFromInline
  internal func observedCancel() {
    writer.write("\(prefix)receive cancel")
  }
}
