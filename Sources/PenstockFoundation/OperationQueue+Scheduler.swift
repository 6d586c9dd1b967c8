// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

/// Runs scheduled actions as operations, never before the scheduling call has returned, not even on the queue itself.
///
/// ```swift
/// let queue = OperationQueue()
/// queue.schedule(after: queue.now.advanced(by: .milliseconds(100))) { print("a tenth of a second later") }
/// print(queue.operationCount)
/// queue.waitUntilAllOperationsAreFinished()
/// // Prints "1", "a tenth of a second later" on two lines.
/// ```
///
/// **Concurrency:** may be used on any thread. As the signatures are Combine's, actions need not be `@Sendable`, and
/// the compiler does not check that they are safe on the queue's threads.
extension OperationQueue: Scheduler {
  /// There are no options.
  public struct SchedulerOptions: Sendable {}

  /// The current time of the wall clock.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action as an operation.
  ///
  /// - Parameters:
  ///   - options: Ignored.
  ///   - action: The action to run.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    addOperation(ScheduledOperation(action))
  }

  /// Runs an action as an operation that is not ready before a given date.
  ///
  /// The operation is in the queue meanwhile, but does not block other operations. Actions with the same date run in
  /// any order.
  ///
  /// - Parameters:
  ///   - date: The earliest time to run the action.
  ///   - tolerance: Ignored.
  ///   - options: Ignored.
  ///   - action: The action to run.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    DelayedOperation(at: date.date, action).enqueue(on: self)
  }

  /// Runs an action repeatedly, with operations that each enqueue the next one.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time from the end of a run to the earliest time of the next one; 0.0001 s if it is zero or less, as
  ///     for a `Timer`.
  ///   - tolerance: Ignored.
  ///   - options: Ignored.
  ///   - action: The action to run.
  /// - Returns: An ``/PenstockCore/AnyCancellable``; the operation that waits is cancelled when it is cancelled or
  ///   deallocated. After a cancel no run starts, and the action has been released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let operations = RepeatedOperations(on: self, every: interval.asRepeated.timeInterval, action)
    // Made before the first run: it makes sure that a trap in the action is explained.
    let cancellable = AnyCancellable(operations)
    operations.enqueue(at: date.date)
    return cancellable
  }
}

extension OperationQueue: RunScheduler {
  @usableFromInline
  package var takesRuns: Bool { maxConcurrentOperationCount == 1 }
}
