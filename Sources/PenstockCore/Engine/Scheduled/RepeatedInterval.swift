// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension SchedulerTimeIntervalConvertible where Self: Comparable & SignedNumeric {
  /// The interval at which an action is repeated: 0.0001 s in place of zero, of a negative interval, and of one that is
  /// not a number.
  ///
  /// That is what Apple documents for `Timer`, and all schedulers of the library agree on it: a shorter interval would
  /// make a busy loop, or end after the first run, as with Foundation's timers on Linux.
  package var asRepeated: Self { self > 0 ? self : .microseconds(100) }
}
