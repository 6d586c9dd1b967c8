// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension LinkState {
  /// Shows that something happens at a date, and how many values are kept until then.
  ///
  /// The scheduler tells the time: of a scheduler of the user's that is the user's code, which no lock surrounds.
  @usableFromInline
  package mutating func keep<Context: Scheduler>(
    _ count: Int, until date: Context.SchedulerTimeType, on scheduler: Context
  ) {
    if count > 0 { waiting = (waiting ?? 0) + count }
    wait = .date(in: Duration(from: scheduler.now, to: date))
  }
}

extension Duration {
  /// The time between two dates of a scheduler, to a nanosecond.
  ///
  /// A stride can be made of a count and compared, but does not tell the count: so that is found bit by bit.
  @usableFromInline
  package init<Time: Strideable>(from start: Time, to end: Time) where Time.Stride: SchedulerTimeIntervalConvertible {
    let isPast = end < start
    let stride = isPast ? end.distance(to: start) : start.distance(to: end)
    var count = 0
    for bit in (0..<62).reversed() where .nanoseconds(count | 1 << bit) <= stride { count |= 1 << bit }
    self = .nanoseconds(isPast ? -count : count)
  }
}
