// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes a value when no other value follows for a time that depends on the value.
  ///
  /// ![A short text waits for 400 milliseconds without another value, a long one for 100.](debounce-each)
  ///
  /// The closure is called once for each value. Each value, with its time, replaces the value that waits.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let field = PassthroughSubject<String, Never>()
  /// let cancellable = field
  ///   .debounce(for: { $0.count < 3 ? 2 : 0.5 }, scheduler: scheduler)
  ///   .sink { print($0, scheduler.now) }
  /// field.send("p")
  /// scheduler.advance(by: 1)
  /// field.send("pen")
  /// scheduler.advance(by: 5)
  /// // Prints "pen 1.5s".
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream. A value that is due while none is requested is dropped,
  /// as is a value that another one follows in time; each is reported to handlers of discarded values.
  ///
  /// **Completion:** delivered on the scheduler, as soon as possible; the value that waits is dropped.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the closure runs on the thread on which upstream delivers. The subscription is delivered on the
  /// subscribing thread, everything else on the scheduler, one at a time. A cancel takes effect at once. One timer waits
  /// on the scheduler, however many values arrive.
  ///
  /// Use `debounce(for:scheduler:)` if the time is the same for all values, and `throttle(for:scheduler:latest:)` to
  /// publish while values keep arriving.
  ///
  /// - Parameters:
  ///   - dueTime: A closure that returns the time that must pass after a value without another one. A negative time
  ///     traps.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - options: The scheduler options for each timer.
  /// - Returns: A publisher of the values that no other value follows in time.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func debounce<S: Scheduler>(
    for dueTime: @escaping (Output) -> S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Lifted<Output, Failure> {
    lift { DebounceStage<Output, Failure, S>(dueTimeOf: dueTime, scheduler, options: options) }
  }
}
