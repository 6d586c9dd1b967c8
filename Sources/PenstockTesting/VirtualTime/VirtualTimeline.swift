// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A scheduler of virtual time, whatever its type of time is: what a clock is made of.
internal protocol VirtualTimeline: AnyObject, Sendable {
  var virtualNow: VirtualTime { get }

  func addVirtual(
    _ action: @escaping () -> Void, after date: VirtualTime, _ origin: VirtualWorkOrigin
  ) -> VirtualWorkBody

  func noteCancel()

  func wait(
    _ what: String, _ maxEvents: Int, _ place: String, _ isReached: @escaping (VirtualTimeWaits.Counts) -> Bool
  ) async throws(VirtualTimeWaitEnded)
}

extension VirtualTimeScheduler: VirtualTimeline {
  internal var virtualNow: VirtualTime {
    let (start, now) = state.withLock { ($0.start, $0.now) }
    if let now = now as? VirtualTime { return now }
    return VirtualTime(nanoseconds: nanoseconds(of: start.distance(to: now)))
  }

  internal func addVirtual(
    _ action: @escaping () -> Void, after date: VirtualTime, _ origin: VirtualWorkOrigin
  ) -> VirtualWorkBody {
    let date = date as? SchedulerTimeType ?? state.withLock(\.start).advanced(by: .nanoseconds(date.nanoseconds))
    return add(action, after: date, origin: origin)
  }
}

/// Returns the nanoseconds of a scheduler's time interval, rounded down.
///
/// Such an interval can be made of nanoseconds, but not asked for them. So the number is found by halving: of those whose
/// interval is not longer, it is the greatest.
internal func nanoseconds<Interval>(of interval: Interval) -> Int
where Interval: SchedulerTimeIntervalConvertible & Comparable & SignedNumeric {
  if interval < 0 { return -nanoseconds(of: 0 - interval) }
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
