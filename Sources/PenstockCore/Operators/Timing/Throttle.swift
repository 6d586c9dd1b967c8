// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers no more than one value in a given time.
  ///
  /// The first value passes at once. Of those that come within the interval behind it, one is delivered at its end: the
  /// latest, or the first.
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
  /// **Demand:** upstream is asked for everything, as soon as the subscriber has its subscription. A value that comes while
  /// none is asked for is dropped.
  ///
  /// **Completion:** delivered on the scheduler: together with the value that waits, if there is one, or as soon as
  /// possible.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** the subscription arrives on the thread that subscribes, everything else on the scheduler, one after
  /// the other. A cancel takes effect at once. What waits on the scheduler does not keep the chain alive.
  ///
  /// - Parameters:
  ///   - interval: The least time between two values.
  ///   - scheduler: Where to wait and to deliver.
  ///   - latest: Whether the latest value of an interval is delivered; otherwise the first.
  /// - Returns: A publisher of fewer values.
  @inlinable
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// A publisher of no more than one value in a given time; see ``Publisher/throttle(for:scheduler:latest:)``.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may deliver more often.
    public let upstream: Upstream

    /// The least time between two values.
    public let interval: Context.SchedulerTimeType.Stride

    /// Where to wait and to deliver.
    public let scheduler: Context

    /// Whether the latest value of an interval is delivered; otherwise the first.
    public let latest: Bool

    /// Makes a publisher of no more than one value in a given time.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(ThrottleLink(interval: interval, scheduler: scheduler, latest: latest, to: subscriber))
    }
  }
}

extension Publishers.Throttle: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}
