// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Conversions of a duration for clocks, the system and brokers, which count nanoseconds in 64 bits: at most 292 years,
/// while a duration may be longer.
extension Duration {
  /// The whole nanoseconds; for a duration that is too long, the largest number.
  package var countableNanoseconds: Int64 {
    // The components of an even longer duration would trap.
    if self >= .nanoseconds(Int64.max) { return .max }
    if self <= .nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    // Computed in 128 bits: the seconds of the smallest number are below it, and the rest is added.
    return Int64(Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
  }

  /// The nanoseconds for schedulers and the system, whose numbers may have fewer bits.
  package var nanoseconds: Int { Int(clamping: countableNanoseconds) }

  /// The duration, or the longest for which a clock can wait: its `sleep` traps at a date that it cannot count.
  package var countable: Duration { min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max)) }
}
