// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A ``VirtualTimeScheduler`` by the name that tests written for combine-schedulers have for it.
///
/// ```swift
/// let scheduler = TestScheduler<VirtualTime, Never>(now: .zero)
/// let cancellable = Just("gate").delay(for: 1, scheduler: scheduler).sink { print($0, scheduler.now) }
/// scheduler.advance(by: 1)
/// cancellable.cancel()
/// // Prints "gate 1s".
/// ```
public typealias TestScheduler<SchedulerTimeType: Strideable, SchedulerOptions> =
  VirtualTimeScheduler<SchedulerTimeType, SchedulerOptions>
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

/// A ``VirtualTimeScheduler`` with the time and the options of a given scheduler.
///
/// `TestSchedulerOf<RunLoop>(now: RunLoop.main.now)` stands in for a run loop. With `PenstockTestingDispatch`,
/// `DispatchQueue.test` is one for a queue.
public typealias TestSchedulerOf<S: Scheduler> = VirtualTimeScheduler<S.SchedulerTimeType, S.SchedulerOptions>
