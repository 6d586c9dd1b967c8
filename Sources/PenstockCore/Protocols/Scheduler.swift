// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that runs actions at once, later, or repeatedly.
///
/// Operators that deal with time read it from ``now`` only, so a scheduler with virtual time makes them testable
/// without waiting.
///
/// **Concurrency:** an action may hold the last reference to a pipeline. Releasing the action then deallocates the
/// pipeline, whose subscribers may cancel and schedule again as they are deallocated. A scheduler of your own must run
/// its actions, and release them, without holding a lock; one that releases an action under its lock can deadlock with
/// itself.
public protocol Scheduler<SchedulerTimeType> {
  /// The type of a point in time of this scheduler.
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// The type of the options for an action, such as its priority; `Never` if there are none.
  associatedtype SchedulerOptions

  /// The current time of this scheduler.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that the scheduler supports.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs an action as soon as possible.
  ///
  /// - Parameters:
  ///   - options: The scheduler's options for the action.
  ///   - action: The action to run.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs an action once, after a given time.
  ///
  /// - Parameters:
  ///   - date: The earliest time to run the action.
  ///   - tolerance: The time by which the action may be late.
  ///   - options: The scheduler's options for the action.
  ///   - action: The action to run.
  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  )

  /// Runs an action repeatedly, first after a given time.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs.
  ///   - tolerance: The time by which the action may be late.
  ///   - options: The scheduler's options for the action.
  ///   - action: The action to run.
  /// - Returns: A cancellable that stops the repetition.
  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs an action as soon as possible, without options.
  @inlinable
  public func schedule(_ action: @escaping () -> Void) {
    schedule(options: nil, action)
  }

  /// Runs an action once, after a given time, with the minimum tolerance and without options.
  @inlinable
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action once, after a given time, without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs an action repeatedly, with the minimum tolerance and without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action repeatedly, without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}

/// A time interval that can be created from the usual units.
public protocol SchedulerTimeIntervalConvertible {
  /// Creates an interval of a number of seconds.
  static func seconds(_ s: Int) -> Self

  /// Creates an interval of a number of seconds and fractions of a second.
  static func seconds(_ s: Double) -> Self

  /// Creates an interval of a number of milliseconds.
  static func milliseconds(_ ms: Int) -> Self

  /// Creates an interval of a number of microseconds.
  static func microseconds(_ us: Int) -> Self

  /// Creates an interval of a number of nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}
