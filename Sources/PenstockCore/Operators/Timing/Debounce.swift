// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes values that no other value follows within a given time.
  ///
  /// ![A value is published when 300 milliseconds have passed without another one.](debounce)
  ///
  /// A search field, for example, sends its query when the user has stopped typing.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let typed = PassthroughSubject<String, Never>()
  /// let cancellable = typed.debounce(for: 0.5, scheduler: scheduler).sink { print($0, scheduler.now) }
  /// for text in ["g", "ga", "gat", "gate"] {
  ///   typed.send(text)
  ///   scheduler.advance(by: text == "ga" ? 2 : 0.1)
  /// }
  /// scheduler.advance(by: 2)
  /// // Prints "ga 0.6s", "gate 2.7s" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream. A value that has not been requested when it is due is
  /// dropped.
  ///
  /// **Completion:** delivered on the scheduler. A value that is not due by then is dropped: a publisher that finishes
  /// right after its only value delivers only its completion.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time. A cancel takes effect at once. One timer waits on the scheduler, however many values arrive: when it goes
  /// off too soon for the latest value, it is set again for that value's time.
  ///
  /// Use `debounce` to wait for a pause, and ``throttle(for:scheduler:latest:)`` to publish at a limited rate while
  /// values keep arriving. ``removeDuplicates()`` skips repeated values, and
  /// ``delay(for:tolerance:scheduler:options:)`` drops nothing.
  ///
  /// - Parameters:
  ///   - dueTime: The time that must pass without another value.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - options: The scheduler options for each timer.
  /// - Returns: A publisher of the values that no other value follows within that time.
  @_alwaysEmitIntoClient
  public consuming func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher of upstream values that no other value follows within a given time; see
  /// ``Publisher/debounce(for:scheduler:options:)``.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are debounced.
    public let upstream: Upstream

    /// The time that must pass without another value.
    public let dueTime: Context.SchedulerTimeType.Stride

    /// The scheduler that waits and delivers.
    public let scheduler: Context

    /// The scheduler options for each timer.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher of upstream values that no other value follows within a given time.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      let stage = DebounceStage<Self.Output, Failure, Context>(dueTime, scheduler, options: options)
      upstream.subscribe(ScheduledSubscriber(stage, to: subscriber), upstreamOf: S.self)
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}
