// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler of virtual time whose actions have a name in the lists of what is pending.
///
/// ``VirtualTimeScheduler/labeled(_:fileID:line:)`` makes it. It has the same time and the same queue as the scheduler it
/// is made from.
///
/// **Concurrency:** as the scheduler that it is made from.
public struct LabeledScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// The scheduler that runs the actions.
  public let base: VirtualTimeScheduler<SchedulerTimeType, SchedulerOptions>

  private let origin: VirtualWorkOrigin

  internal init(_ base: VirtualTimeScheduler<SchedulerTimeType, SchedulerOptions>, _ label: String, _ place: String) {
    self.base = base
    origin = VirtualWorkOrigin(label: label, place: place)
  }

  /// The time of the scheduler that runs the actions.
  public var now: SchedulerTimeType { base.now }

  /// The minimum tolerance of the scheduler that runs the actions.
  public var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

  /// Runs an action at the current time, at the next move of the time.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    base.add(action, after: nil, origin: origin)
  }

  /// Runs an action once, when the time reaches a date.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    base.add(action, after: date, origin: origin)
  }

  /// Runs an action repeatedly, from a date on.
  ///
  /// An interval of zero or less is 0.0001 s, as for a `Timer`.
  ///
  /// - Returns: A cancellable; the action is no longer repeated when it is cancelled or deallocated.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.addRepeating(action, after: date, interval: interval, origin: origin)
  }
}

extension LabeledScheduler: TellsVirtualTime {
  internal var virtualNow: VirtualTime { base.virtualNow }
}

extension VirtualTimeScheduler {
  /// Returns a scheduler with the same time whose actions have a name in the lists of what is pending.
  ///
  /// ```swift
  /// let time = VirtualTimeScheduler()
  /// let late = Just("gate").delay(for: 5, scheduler: time.labeled("the late gate")).sink { print($0) }
  /// print(time.pendingDescriptions[0].prefix { $0 != "," })
  /// late.cancel()
  /// // Prints "5s (the late gate".
  /// ```
  ///
  /// The file and the line of this call follow the name.
  ///
  /// - Parameters:
  ///   - label: The name.
  ///   - fileID: The file.
  ///   - line: The line.
  /// - Returns: A scheduler with the same time and the same queue.
  public func labeled(
    _ label: String, fileID: StaticString = #fileID, line: UInt = #line
  ) -> LabeledScheduler<SchedulerTimeType, SchedulerOptions> {
    LabeledScheduler(self, label, VirtualWorkOrigin.place(fileID, line))
  }
}
