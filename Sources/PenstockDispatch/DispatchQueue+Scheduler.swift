// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import PenstockCore

/// Runs scheduled actions on the queue's threads, never before the scheduling call has returned.
///
/// ```swift
/// let queue = DispatchQueue(label: "gauge")
/// queue.schedule(after: queue.now.advanced(by: .milliseconds(10))) { print("ten milliseconds later") }
/// // Prints "ten milliseconds later"
/// ```
///
/// **Concurrency:** may be used on any thread. As the signatures are Combine's, actions need not be `@Sendable`, and
/// the compiler does not check that they are safe on the queue's threads.
extension DispatchQueue: Scheduler {
  /// The options for an action on a queue.
  public struct SchedulerOptions: Sendable {
    /// The quality of service to run with.
    public var qos: DispatchQoS

    // The raw value, because Dispatch's own type is not Sendable everywhere.
    private var rawFlags: UInt

    /// The flags of the work item.
    public var flags: DispatchWorkItemFlags {
      get { DispatchWorkItemFlags(rawValue: rawFlags) }
      set { rawFlags = newValue.rawValue }
    }

    /// A dispatch group that the action enters, if it is scheduled to run at once; actions scheduled for later do not
    /// enter it.
    public var group: DispatchGroup?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - qos: The quality of service to run with.
    ///   - flags: The flags of the work item.
    ///   - group: A dispatch group that the action enters, if it is scheduled to run at once.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.qos = qos
      rawFlags = flags.rawValue
      self.group = group
    }
  }

  /// The current time, on the clock of `DispatchTime`.
  @inlinable
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Zero.
  @inlinable
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// Runs an action on the queue, as `async` does.
  ///
  /// - Parameters:
  ///   - options: Quality of service, flags and group.
  ///   - action: The action to run.
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
  /// Actions with the same time run in any order.
  ///
  /// - Parameters:
  ///   - date: The earliest time to run the action.
  ///   - tolerance: Ignored.
  ///   - options: Quality of service and flags; the group is ignored.
  ///   - action: The action to run.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    asyncAfter(
      deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? [],
      execute: ScheduledAction(action).run)
  }

  /// Runs an action on the queue repeatedly, with a timer.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs; 0.0001 s if it is zero or less, as for a `Timer`.
  ///   - tolerance: The time by which the action may be late.
  ///   - options: Quality of service and flags; the group is ignored.
  ///   - action: The action to run.
  /// - Returns: An ``/PenstockCore/AnyCancellable``; the timer stops when it is cancelled or deallocated. After a
  ///   cancel no run starts, and the action has been released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let work = ScheduledWork(action)
    let source = DispatchSource.makeTimerSource(queue: self)
    let nanoseconds = interval.asRepeated.magnitude
    // Dispatch traps on negative tolerances.
    source.schedule(
      deadline: date.dispatchTime, repeating: nanoseconds == .max ? .never : .nanoseconds(nanoseconds),
      leeway: .nanoseconds(max(tolerance.magnitude, 0)))
    source.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.run() }
    // Made before the first run, which may come before this method returns: it makes sure that a trap in the action is
    // explained.
    let cancellable = AnyCancellable {
      work.cancel()
      source.cancel()
    }
    source.activate()
    return cancellable
  }
}

extension DispatchQueue: RunScheduler {
  @usableFromInline
  package var takesRuns: Bool { true }
}
