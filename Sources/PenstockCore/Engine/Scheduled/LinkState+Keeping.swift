// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension LinkState {
  /// Shows values that are kept until a date; a tenth of a second later they wait for the scheduler, which has not run.
  ///
  /// The scheduler tells the time: of a scheduler of the user's that is the user's code, which no lock surrounds.
  @usableFromInline
  package mutating func keep<Context: Scheduler>(
    _ count: Int, until date: Context.SchedulerTimeType, on scheduler: Context
  ) {
    if count == 0 { return }
    waiting = (waiting ?? 0) + count
    wait = date.advanced(by: .milliseconds(100)) < scheduler.now ? .scheduler : .date
  }
}
