// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler that knows its time in the form of virtual time.
protocol TellsVirtualTime: Sendable {
  var virtualNow: VirtualTime { get }
}

/// Returns a closure that returns a scheduler's time: as the scheduler counts it if it is virtual, otherwise since this
/// call.
func virtualTime<S: Scheduler & Sendable>(of scheduler: S) -> @Sendable () -> VirtualTime {
  if let scheduler = scheduler as? any TellsVirtualTime { return { scheduler.virtualNow } }
  if S.SchedulerTimeType.self == VirtualTime.self { return { scheduler.now as! VirtualTime } }
  // In a lock, which makes it Sendable: the type of time may not be.
  let start = Locked(scheduler.now)
  return { VirtualTime(nanoseconds: nanoseconds(of: start.value.distance(to: scheduler.now))) }
}

/// Returns the nanoseconds of a scheduler's time interval, rounded down.
///
/// Such an interval can be created from nanoseconds, but cannot be asked for them. So the number is found by bisection:
/// it is the greatest whose interval is not longer.
func nanoseconds<Interval>(of interval: Interval) -> Int
where Interval: SchedulerTimeIntervalConvertible & Comparable & SignedNumeric {
  if interval < 0 { return -nanoseconds(of: 0 - interval) }
  // For the immediate scheduler all units of time are zero, so that each number would do.
  if interval == 0 { return 0 }
  // Doubled first, since a type may not have room for the longest intervals.
  var (length, bound) = (0, 1)
  while .nanoseconds(bound) <= interval {
    if bound == .max { return .max }
    (length, bound) = (bound, bound > .max / 2 ? .max : bound * 2)
  }
  while bound - length > 1 {
    let middle = length + (bound - length) / 2
    if .nanoseconds(middle) <= interval { length = middle } else { bound = middle }
  }
  return length
}
