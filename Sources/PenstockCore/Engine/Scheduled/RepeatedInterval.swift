// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension SchedulerTimeIntervalConvertible where Self: Comparable & SignedNumeric {
  /// The interval at which an action is repeated: 0.0001 s in place of zero, of less, and of what is no number.
  ///
  /// That is what Apple documents for `Timer`, and all schedulers of the library agree on it: another interval would be a
  /// busy loop, or the end after the first run, as with Foundation's timers on Linux.
  package var asRepeated: Self { self > 0 ? self : .microseconds(100) }
}
