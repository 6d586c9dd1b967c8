// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Strideable {
  /// Whether this date, the end of an interval that has begun, is to be waited for.
  ///
  /// A date that is further away than the length of the interval is not: the clock has been set back since then, and
  /// the interval begins again.
  @inlinable
  package func isAhead(of now: Self, within interval: Stride) -> Bool {
    self > now && self <= now.advanced(by: interval)
  }
}

extension Scheduler {
  /// Runs an action at the end of an interval, or as soon as possible if there is no interval, it is over, or the clock
  /// has been set back.
  ///
  /// The clock is read only if there is a date: a test's scheduler may count that.
  @inlinable
  package func schedule(
    notBefore date: SchedulerTimeType?, within interval: SchedulerTimeType.Stride,
    at now: @autoclosure () -> SchedulerTimeType, _ action: @escaping () -> Void
  ) {
    if let date, date.isAhead(of: now(), within: interval) {
      schedule(after: date, action)
    } else {
      schedule(action)
    }
  }
}
