// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes values for a time, and then finishes.
  ///
  /// ![Values pass for 500 milliseconds. Then upstream is cancelled.](prefix-duration)
  ///
  /// The time begins with the subscription.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let ticks = PassthroughSubject<Int, Never>()
  /// let cancellable = ticks.prefix(duration: 5, on: scheduler).sink(
  ///   receiveCompletion: { print($0, "at", scheduler.now) },
  ///   receiveValue: { print($0) })
  /// ticks.send(1)
  /// scheduler.advance(by: 10)
  /// ticks.send(2)
  /// // Prints "1", "finished at 5s" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** the end of the time cancels upstream and finishes the publisher, on the scheduler. Upstream's own
  /// `.finished` is forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** values are delivered on the thread on which upstream delivers, and the end on the scheduler;
  /// downstream receives one signal at a time. The scheduler keeps its action until the time has passed, even if the
  /// stream ends before, but keeps no subscriber and no upstream.
  ///
  /// Use `prefix(untilOutputFrom:)` to end at a signal, `timeout(_:scheduler:options:customError:)` to end after a
  /// silence, and ``prefix(while:behavior:)`` to end with a predicate.
  ///
  /// - Parameters:
  ///   - duration: The time for which values are republished.
  ///   - tolerance: The time by which the end may be late; by default the scheduler's minimum.
  ///   - scheduler: The scheduler that waits and finishes.
  ///   - options: The scheduler's options for that.
  /// - Returns: A publisher of the values within that time.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func prefix<S: Scheduler>(
    duration: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(
      prefix(untilOutputFrom: ElapsedTime(duration, tolerance: tolerance, on: scheduler, options: options)))
  }
}
