// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Ends the stream if the first value does not arrive within a given time.
  ///
  /// ![A value has come within 400 milliseconds, so later silences are no matter.](timeout-first)
  ///
  /// The time runs from the subscription to the first value or the completion; later values may take any time. It runs
  /// whether values have been requested or not.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// struct Late: Error {}
  /// let scheduler = VirtualTimeScheduler()
  /// let answers = PassthroughSubject<String, Late>()
  /// let cancellable = answers.timeout(first: 5, scheduler: scheduler) { Late() }.sink(
  ///   receiveCompletion: { print($0, "at", scheduler.now) }, receiveValue: { print($0) })
  /// scheduler.advance(by: 60)
  /// // Prints "failure(Late()) at 5s".
  /// ```
  ///
  /// The time does not wait for the first request, so the stream also ends for a subscriber that requests nothing in
  /// time. For a time that runs only while values are requested, see ``stalled(after:scheduler:options:customError:)``.
  ///
  /// **Demand:** passed to upstream. `request(.none)` traps.
  ///
  /// **Completion:** forwarded. When the time has passed without a value, upstream is cancelled and the publisher
  /// finishes.
  ///
  /// **Failure:** forwarded. When the time has passed without a value and there is a closure for the error, the publisher
  /// fails with the error that it returns.
  ///
  /// **Concurrency:** values are delivered on the thread on which upstream delivers, and the end of the time on the
  /// scheduler, where the closure runs; downstream receives one signal at a time. The closure also runs if the first
  /// value arrives at the same moment on another thread; either the value or the end wins, and only that one is
  /// delivered. The scheduler keeps its action until the time has passed, even after a value, but keeps no subscriber
  /// and no upstream.
  ///
  /// Use `timeout(_:scheduler:options:customError:)` to limit each silence, and ``prefix(duration:tolerance:on:options:)``
  /// to end after a time in any case.
  ///
  /// - Parameters:
  ///   - interval: The maximum time until the first value. A negative one traps.
  ///   - scheduler: The scheduler that waits and ends the stream.
  ///   - options: The scheduler's options for that.
  ///   - customError: A closure that returns the error to fail with; if `nil`, the publisher finishes.
  /// - Returns: A publisher of the same values that ends if the first does not arrive in time.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func timeout<S: Scheduler>(
    first interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Lifted<Output, Failure> {
    checkInterval(interval, of: "timeout(first:)")
    return amb(
      TimedEnd(interval, on: scheduler, options: options) {
        customError.map { .failure($0()) } ?? .finished
      })
  }
}
