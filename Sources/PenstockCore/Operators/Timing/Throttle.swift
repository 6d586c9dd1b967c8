// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes at most one value in each interval of time.
  ///
  /// ![At most one value is published in 300 milliseconds: the first at once, then the latest of each
  /// period.](throttle)
  ///
  /// The first value is published at once. Of the values that arrive during the interval after it, one is published at
  /// its end: the latest or the first.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let level = PassthroughSubject<Int, Never>()
  /// let cancellable = level.throttle(for: 1, scheduler: scheduler, latest: true).sink { print($0, scheduler.now) }
  /// for reading in 1...5 {
  ///   level.send(reading)
  ///   scheduler.advance(by: 0.3)
  /// }
  /// scheduler.advance(by: 1)
  /// // Prints "1 0s", "4 1s", "5 2s" on three lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream as soon as the subscriber has its subscription. Of the
  /// values that arrive while none is requested, one is held until the next request schedules it. If `latest` is
  /// `true`, it is the latest value, and it is published as soon as the interval since the last published value is over.
  /// Otherwise it is the first value of its interval, published at the end of that interval; a value that arrives after
  /// the end begins an interval of its own, and replaces the held value.
  ///
  /// **Completion:** delivered on the scheduler: together with the value that is due at the end of the interval, if one
  /// is held, or as soon as possible. It does not wait for demand: a value that has not been requested by then is
  /// dropped.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time. A cancel takes effect at once. A scheduled action keeps the pipeline alive until it has run. If the
  /// scheduler's clock is set back, as that of a run loop may be, an interval begins again.
  ///
  /// Use `throttle` to publish at a limited rate while values keep arriving, and ``debounce(for:scheduler:options:)``
  /// to wait for a pause. ``collect(_:options:)`` keeps all values of an interval. A subscriber that asks for one value at
  /// a time, such as `values` or `flatMap(maxPublishers: .max(1))`, misses values in between, and the last only if
  /// upstream ends before it asks. A ``buffer(size:prefetch:whenFull:)`` of one value downstream of it keeps that last
  /// value.
  ///
  /// - Parameters:
  ///   - interval: The minimum time between two values.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - latest: Whether to publish the latest value of an interval; if `false`, the first.
  /// - Returns: A publisher of at most one value in each interval.
  @_alwaysEmitIntoClient
  public consuming func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// A publisher of at most one upstream value in each interval of time; see
  /// ``Publisher/throttle(for:scheduler:latest:)``.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are throttled.
    public let upstream: Upstream

    /// The minimum time between two values.
    public let interval: Context.SchedulerTimeType.Stride

    /// The scheduler that waits and delivers.
    public let scheduler: Context

    /// Whether to publish the latest value of an interval; if `false`, the first.
    public let latest: Bool

    /// Creates a publisher of at most one upstream value in each interval of time.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      let stage = ThrottleStage<Self.Output, Failure, Context>(interval, scheduler, latest: latest)
      upstream.subscribe(ScheduledSubscriber(stage, to: subscriber), upstreamOf: S.self)
    }
  }
}

extension Publishers.Throttle: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}
