// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  /// ![The values are delivered on the queue, when it gets to its work.](receive-on)
  ///
  /// Each of them is one scheduled action, and each action delivers the next event in line: the order stays that of
  /// upstream, deliveries do not overlap and the completion is last, even on a scheduler that runs actions on several
  /// threads at once. On a dispatch queue, and on an operation queue that runs one operation at a time, an action delivers up
  /// to 64 values that a sequence provides at once.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let cancellable = [1, 2].publisher
  ///   .receive(on: scheduler)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// print("nothing yet")
  /// scheduler.advance()
  /// // Prints "nothing yet", "1", "2", "finished" on four lines.
  /// ```
  ///
  /// **Demand:** passed to upstream at once, on the requesting thread. Demand that a delivery returns is requested
  /// after it, on the scheduler. Values that are not delivered yet are kept, without a limit other than the demand.
  ///
  /// **Completion:** delivered on the scheduler, after all values.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler. A
  /// cancel takes effect at once: actions that have not run by then deliver nothing.
  ///
  /// Use `receive(on:)` for the thread that values arrive on, and ``subscribe(on:options:)`` for the thread that
  /// upstream works on.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler to deliver on.
  ///   - options: The scheduler options for each scheduled action.
  /// - Returns: A publisher of the same values on the scheduler.
  @inlinable
  public consuming func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that delivers upstream values and the completion on a scheduler; see
  /// ``Publisher/receive(on:options:)``.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are delivered on the scheduler.
    public let upstream: Upstream

    /// The scheduler to deliver on.
    public let scheduler: Context

    /// The scheduler options for each scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that delivers upstream values and the completion on a scheduler.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      if Context.self == ImmediateScheduler.self {
        // This scheduler runs blocks at once, so no queue is needed.
        upstream.subscribe(RequestingSubscriber(ReceiveAtOnce(), to: subscriber), upstreamOf: S.self)
      } else {
        upstream.subscribe(
          ScheduledSubscriber(ReceiveOnStage<Self.Output, Failure, Context>(scheduler, options), to: subscriber),
          upstreamOf: S.self)
      }
    }
  }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}
