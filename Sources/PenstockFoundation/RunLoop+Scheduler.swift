// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

/// Runs scheduled actions on the run loop's thread, in the default mode, never before the scheduling call has returned.
///
/// ```swift
/// RunLoop.main.schedule { print("on the main thread") }
/// print("first")
/// RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1))
/// // Prints "first", "on the main thread" on two lines.
/// ```
///
/// No action runs while the run loop is in another mode, or does not run.
///
/// **Concurrency:** may be used on any thread. As the signatures are Combine's, actions need not be `@Sendable`, and
/// the compiler does not check that they are safe on the run loop's thread.
extension RunLoop: Scheduler {
  /// There are no options.
  public struct SchedulerOptions: Sendable {}

  /// The current time of the wall clock.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action in the next turn of the run loop.
  ///
  /// A sleeping run loop wakes up for it.
  ///
  /// - Parameters:
  ///   - options: Ignored.
  ///   - action: The action to run.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let scheduled = ScheduledAction(action)
    perform(inModes: [.default]) { scheduled.run() }
    wake()
  }

  /// Runs an action at a given date, with a timer.
  ///
  /// Actions with the same date run in any order.
  ///
  /// - Parameters:
  ///   - date: The earliest time to run the action.
  ///   - tolerance: The time by which the action may be late.
  ///   - options: Ignored.
  ///   - action: The action to run.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    LoopTimer(at: date.date, every: nil, tolerance: tolerance.timeInterval, action).start(on: self, in: .default)
  }

  /// Runs an action repeatedly, with a timer.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs; 0.0001 s if it is zero or less, as for a `Timer`.
  ///   - tolerance: The time by which the action may be late.
  ///   - options: Ignored.
  ///   - action: The action to run.
  /// - Returns: An ``/PenstockCore/AnyCancellable``; the timer stops when it is cancelled or deallocated. After a
  ///   cancel no run starts, and the action has been released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = LoopTimer(
      at: date.date, every: interval.asRepeated.timeInterval, tolerance: tolerance.timeInterval, action)
    // Made before the first run: it makes sure that a trap in the action is explained.
    let cancellable = AnyCancellable(timer)
    timer.start(on: self, in: .default)
    return cancellable
  }
}
