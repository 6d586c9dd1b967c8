// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes each value together with the time of a scheduler.
  ///
  /// ![Each value is published with the time at which it has come.](timestamp)
  ///
  /// The time is the moment at which the value arrives at this operator.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let readings = PassthroughSubject<Int, Never>()
  /// let cancellable = readings.timestamp(using: scheduler).sink { print($0.value, "at", $0.time) }
  /// for reading in [20, 21] {
  ///   scheduler.advance(by: 2)
  ///   readings.send(reading)
  /// }
  /// // Prints "20 at 2s", "21 at 4s" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; it reads the scheduler's clock, on the thread on which upstream
  /// delivers, and schedules nothing.
  ///
  /// Use `measureInterval(using:)` for the time since the previous value, and ``enumerated()`` for an index.
  ///
  /// - Parameter scheduler: The scheduler whose clock is read.
  /// - Returns: A publisher of pairs: a value, and its time.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func timestamp<S: Scheduler>(
    using scheduler: S
  ) -> Publishers.Map<Self, (value: Output, time: S.SchedulerTimeType)> {
    map { (value: $0, time: scheduler.now) }
  }
}
