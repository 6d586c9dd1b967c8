// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler of virtual time with any type of time, from which a clock is made.
internal protocol VirtualTimeline: AnyObject, TellsVirtualTime {
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
