// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes at most one value in each interval of time: at its beginning, at its end, or both.
  ///
  /// ![The first value is published at once, and the others in the 300 milliseconds after it are
  /// dropped.](throttle-leading)
  ///
  /// An interval begins with each value that is published, and with the first that arrives while no interval runs. With
  /// `leading`, that first value is published at once; without it, the value counts as one of its interval. With
  /// `trailing`, the latest value of an interval is published at its end, and begins the next interval; without it, the
  /// values of an interval are dropped.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let taps = PassthroughSubject<Int, Never>()
  /// let cancellable = taps
  ///   .throttle(for: 1, scheduler: scheduler, leading: true, trailing: false)
  ///   .sink { print($0, scheduler.now) }
  /// for tap in 1...5 {
  ///   taps.send(tap)
  ///   scheduler.advance(by: 0.4)
  /// }
  /// // Prints "1 0s", "4 1.2s" on two lines.
  /// ```
  ///
  /// With both, it works as `throttle(for:scheduler:latest:)` with `latest: true`.
  ///
  /// **Demand:** unlimited values are requested from upstream as soon as the subscriber has its subscription. A value
  /// that is due while none is requested waits for the next request, which schedules it. With `trailing`, later values
  /// replace it; without it, the value that begins the next interval does. Every value that is dropped or replaced is
  /// reported to handlers of discarded values.
  ///
  /// **Completion:** delivered on the scheduler: together with the value that is due at the end of the interval, if there
  /// is one, or as soon as possible. It does not wait for demand: a value that has not been requested by then is dropped.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time. A cancel takes effect at once. A scheduled action keeps the pipeline alive until it has run. If the
  /// scheduler's clock is set back, as that of a run loop may be, the interval starts again.
  ///
  /// Use ``throttle(for:scheduler:reducing:)`` to lose no value of an interval, and ``sample(_:)`` for intervals that
  /// another publisher determines.
  ///
  /// - Parameters:
  ///   - interval: The minimum time between two values. A negative one traps.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - leading: Whether to publish the value that begins an interval at once.
  ///   - trailing: Whether to publish the latest value of an interval at its end. If both are `false`, it traps.
  /// - Returns: A publisher of at most one value in each interval.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, leading: Bool, trailing: Bool
  ) -> Publishers.Lifted<Output, Failure> {
    checkInterval(interval, of: "throttle(for:)")
    require(
      leading || trailing, of: "throttle(leading:trailing:)", rule: "true for one of both", given: "false for each")
    return lift {
      ThrottleEdgesStage<Output, Failure, S>(
        interval, scheduler, ThrottleEdges(leading: leading, trailing: trailing), merge: nil)
    }
  }

  /// Publishes at most one value in each interval of time, and merges the values of an interval.
  ///
  /// ![The first value is published at once. At the end of each 300 milliseconds, the sum of their values
  /// follows.](throttle-reducing)
  ///
  /// The first value is published as soon as the scheduler gets to it, and begins an interval. A closure merges the
  /// values that arrive during an interval into one, which is published at its end, and begins the next interval. No
  /// value is lost.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let bytes = PassthroughSubject<Int, Never>()
  /// let cancellable = bytes.throttle(for: 1, scheduler: scheduler, reducing: +).sink { print($0, scheduler.now) }
  /// bytes.send(10)
  /// scheduler.advance(by: 0.5)
  /// bytes.send(20)
  /// bytes.send(30)
  /// scheduler.advance(by: 0.5)
  /// // Prints "10 0s", "50 1s" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream as soon as the subscriber has its subscription. A value that
  /// is due while none is requested waits for the next request, which schedules it; later values are merged into it.
  ///
  /// **Completion:** delivered on the scheduler: together with the value that waits, if there is one, or as soon as
  /// possible. If the value waits for demand, so does the completion, since all values of the interval have been merged
  /// into it.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the closure runs on the thread on which upstream delivers. The subscription is delivered on the
  /// subscribing thread, everything else on the scheduler, one at a time. A cancel takes effect at once. A scheduled
  /// action keeps the pipeline alive until it has run. If the scheduler's clock is set back, as that of a run loop may
  /// be, the interval starts again.
  ///
  /// Use `collect(.byTime(…))` to have the values of an interval in an array, and ``coalesce(_:)`` to merge the values
  /// that arrive while none is requested.
  ///
  /// - Parameters:
  ///   - interval: The minimum time between two values. A negative one traps.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - merge: A closure that makes one value from the value that waits and a new one.
  /// - Returns: A publisher of at most one value in each interval.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, reducing merge: @escaping (Output, Output) -> Output
  ) -> Publishers.Lifted<Output, Failure> {
    checkInterval(interval, of: "throttle(for:)")
    return lift {
      ThrottleEdgesStage<Output, Failure, S>(
        interval, scheduler, ThrottleEdges(leading: true, trailing: true), merge: merge)
    }
  }
}
