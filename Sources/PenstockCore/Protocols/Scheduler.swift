// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that runs work now, later, or again and again.
///
/// Operators that deal with time take their clock from ``now`` alone, so a scheduler with virtual time makes them
/// testable without waiting.
///
/// **Concurrency:** an action may hold the last reference to a pipeline, which is freed with it, and then runs whatever its
/// subscribers do when they are freed: they may cancel, and schedule again. A scheduler of your own runs its actions, and
/// frees them, with no lock of its own held; one that frees an action under its lock may wait for itself.
public protocol Scheduler<SchedulerTimeType> {
  /// A point in time, as this scheduler counts it.
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// What else can be said about a piece of work, such as its priority; `Never` where there is nothing to say.
  associatedtype SchedulerOptions

  /// This scheduler's present.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that the scheduler keeps to.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs an action as soon as possible.
  ///
  /// - Parameters:
  ///   - options: Options of this scheduler's kind.
  ///   - action: The work.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs an action once, at some time after a given date.
  ///
  /// - Parameters:
  ///   - date: The earliest time to run at.
  ///   - tolerance: How much later is still fine.
  ///   - options: Options of this scheduler's kind.
  ///   - action: The work.
  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  )

  /// Runs an action again and again, first after a given date.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs.
  ///   - tolerance: How much later is still fine.
  ///   - options: Options of this scheduler's kind.
  ///   - action: The work.
  /// - Returns: The means to stop.
  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs an action as soon as possible, with no options.
  @inlinable
  public func schedule(_ action: @escaping () -> Void) {
    schedule(options: nil, action)
  }

  /// Runs an action once after a given date, with the smallest tolerance and no options.
  @inlinable
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action once after a given date, with no options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs an action again and again, with the smallest tolerance and no options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action again and again, with no options.
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

/// A length of time that can be made from the usual units.
public protocol SchedulerTimeIntervalConvertible {
  /// Makes an interval of so many seconds.
  static func seconds(_ s: Int) -> Self

  /// Makes an interval of so many seconds, and parts of a second.
  static func seconds(_ s: Double) -> Self

  /// Makes an interval of so many milliseconds.
  static func milliseconds(_ ms: Int) -> Self

  /// Makes an interval of so many microseconds.
  static func microseconds(_ us: Int) -> Self

  /// Makes an interval of so many nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}
