// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Scheduler {
  /// Runs an action at a date, or as soon as possible if there is none or it is over.
  ///
  /// The clock is read only if there is a date: a test's scheduler may count that.
  @inlinable
  package func schedule(
    notBefore date: SchedulerTimeType?, at now: @autoclosure () -> SchedulerTimeType, _ action: @escaping () -> Void
  ) {
    if let date, date > now() {
      schedule(after: date, action)
    } else {
      schedule(action)
    }
  }
}
