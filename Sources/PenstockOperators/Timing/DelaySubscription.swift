// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Subscribes to the upstream publisher some time after the subscription.
  ///
  /// ![Upstream is subscribed to after 300 milliseconds, and asked for what has been requested by
  /// then.](delay-subscription)
  ///
  /// The subscriber has its subscription at once, and may request values and cancel.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let search = Deferred {
  ///   print("searching at", scheduler.now)
  ///   return Just("found")
  /// }
  /// let cancellable = search.delaySubscription(for: 2, scheduler: scheduler).sink { print($0) }
  /// scheduler.advance(by: 5)
  /// // Prints "searching at 2s", "found" on two lines.
  /// ```
  ///
  /// Upstream's signals are not delayed any further.
  ///
  /// **Demand:** kept until the time has passed, then requested from upstream; later requests are passed on.
  /// `request(.none)` is passed on.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, and upstream is subscribed to on the
  /// scheduler; if the time passes while the subscriber is still receiving its subscription, upstream is subscribed to
  /// on the subscribing thread after that. Values are delivered on the thread on which upstream delivers. After a
  /// cancel before that time, upstream is not subscribed to at all; the scheduler keeps its action until the time has
  /// passed, but keeps no subscriber and no upstream.
  ///
  /// Use `delay(for:scheduler:)` to delay the values, and `subscribe(on:)` to choose only the thread.
  ///
  /// - Parameters:
  ///   - interval: The time between the subscription and the subscription to upstream. A negative time traps.
  ///   - tolerance: The time by which the subscription to upstream may be late; by default the scheduler's minimum.
  ///   - scheduler: The scheduler that waits and subscribes.
  ///   - options: The scheduler's options for that.
  /// - Returns: A publisher of the same values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func delaySubscription<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Lifted<Output, Failure> {
    checkInterval(interval, of: "delaySubscription(for:)")
    return Publishers.Lifted(
      TimedEnd<Output, Failure, S>(interval, tolerance: tolerance, on: scheduler, options: options).append(self))
  }
}

/// Traps at a negative interval.
@inlinable
internal func checkInterval<Interval: Comparable & SignedNumeric>(_ interval: Interval, of operation: String) {
  // Written this way so that NaN traps, too.
  require(interval >= 0, of: operation, rule: "an interval of 0 or more", given: interval)
}
