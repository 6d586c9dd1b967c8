// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Ends the stream if upstream delivers no value for a given time although values have been requested.
  ///
  /// ![One value is requested, and nothing comes for 400 milliseconds: upstream is cancelled, and the output
  /// finishes.](stalled)
  ///
  /// The time runs only while there is demand that upstream has not met. It starts with a request that finds no open
  /// demand, and again with each value that leaves some; a further request does not start it again. A slow subscriber
  /// that requests nothing meanwhile does not count as a stall.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// struct Stalled: Error {}
  /// let scheduler = VirtualTimeScheduler()
  /// let rows = PassthroughSubject<Int, Stalled>()
  /// let cancellable = rows.stalled(after: 5, scheduler: scheduler) { Stalled() }.sink(
  ///   receiveCompletion: { print($0, "at", scheduler.now) }, receiveValue: { print($0) })
  /// scheduler.advance(by: 3)
  /// rows.send(1)
  /// scheduler.advance(by: 60)
  /// // Prints "1", "failure(Stalled()) at 8s" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream at once, on the requesting thread, and counted. Demand that a delivery returns is
  /// requested after it, on the scheduler. `request(.none)` is passed on, and starts no time.
  ///
  /// **Completion:** delivered on the scheduler, after all values. When the time has passed, upstream is cancelled and
  /// the publisher finishes, after the values that have arrived by then.
  ///
  /// **Failure:** delivered on the scheduler, after all values. When the time has passed and there is a closure for the
  /// error, the publisher fails with the error that it returns.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time; the closure runs there, too. A cancel takes effect at once. One timer waits on the scheduler, however many
  /// values arrive.
  ///
  /// Use `timeout(_:scheduler:options:customError:)` for a time that also runs while nothing is requested, and
  /// ``timeout(first:scheduler:options:customError:)`` to limit the time until the first value.
  ///
  /// - Parameters:
  ///   - interval: The maximum time without a value while some are requested. A negative one traps.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - options: The scheduler options for each scheduled action.
  ///   - customError: A closure that returns the error to fail with; if `nil`, the publisher finishes.
  /// - Returns: A publisher of the same values that ends when upstream stalls.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func stalled<S: Scheduler>(
    after interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Lifted<Output, Failure> {
    checkInterval(interval, of: "stalled(after:)")
    return lift {
      StalledStage<Output, Failure, S>(
        RestartableTimer(interval, scheduler, options: options), customError: customError)
    }
  }
}
