// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import PenstockCore

/// A queue runs what it is given on its own threads, never before the call has returned.
///
/// ```swift
/// let queue = DispatchQueue(label: "gauge")
/// queue.schedule(after: queue.now.advanced(by: .milliseconds(10))) { print("ten milliseconds later") }
/// // Prints "ten milliseconds later"
/// ```
///
/// **Concurrency:** may be used on any thread. What is scheduled is not checked to be safe on the queue's threads, as the
/// signatures are Combine's: whoever schedules it vouches for that.
extension DispatchQueue: Scheduler {
  /// What else can be said about a piece of work.
  public struct SchedulerOptions: Sendable {
    /// The class of service to run with.
    public var qos: DispatchQoS

    // The raw value, because Dispatch's own type is not Sendable everywhere.
    private var rawFlags: UInt

    /// The flags of the work item.
    public var flags: DispatchWorkItemFlags {
      get { DispatchWorkItemFlags(rawValue: rawFlags) }
      set { rawFlags = newValue.rawValue }
    }

    /// A group that waits for the work, if it is to run at once; later work does not enter it.
    public var group: DispatchGroup?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - qos: The class of service to run with.
    ///   - flags: The flags of the work item.
    ///   - group: A group that waits for the work, if it is to run at once.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.qos = qos
      rawFlags = flags.rawValue
      self.group = group
    }
  }

  /// The present, on the clock of `DispatchTime`.
  @inlinable
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Zero.
  @inlinable
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// Runs an action on the queue, as `async` does.
  ///
  /// - Parameters:
  ///   - options: Class of service, flags and group.
  ///   - action: The work.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let run = ScheduledAction(action).run
    if let options {
      async(group: options.group, qos: options.qos, flags: options.flags, execute: run)
    } else {
      async(execute: run)
    }
  }

  /// Runs an action on the queue at a given time, as `asyncAfter` does.
  ///
  /// - Parameters:
  ///   - date: The earliest time to run at.
  ///   - tolerance: Ignored.
  ///   - options: Class of service and flags; the group is ignored.
  ///   - action: The work.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    asyncAfter(
      deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? [],
      execute: ScheduledAction(action).run)
  }

  /// Runs an action on the queue again and again, by a timer.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs; one nanosecond if it is less.
  ///   - tolerance: How much later is still fine.
  ///   - options: Class of service and flags; the group is ignored.
  ///   - action: The work.
  /// - Returns: An ``AnyCancellable``: dropping it stops the timer. Once it has been cancelled no run starts, and the
  ///   action has been let go.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let work = ScheduledWork(action)
    let source = DispatchSource.makeTimerSource(queue: self)
    // Dispatch traps on negative intervals.
    source.schedule(
      deadline: date.dispatchTime,
      repeating: interval.magnitude == .max ? .never : .nanoseconds(max(interval.magnitude, 1)),
      leeway: .nanoseconds(max(tolerance.magnitude, 0)))
    source.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.run() }
    source.activate()
    return AnyCancellable {
      work.revoke()
      source.cancel()
    }
  }
}
