// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A duration as what counts time takes it: clocks, the system and brokers count nanoseconds in 64 bits, which is 292 years, and
/// a duration may be longer.
extension Duration {
  /// The nanoseconds, without a fraction of one; for a duration that is too long, as many as there are numbers for.
  package var countableNanoseconds: Int64 {
    // The components of one that is longer still would trap.
    if self >= .nanoseconds(Int64.max) { return .max }
    if self <= .nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    // By way of 128 bits: the seconds of the least number are below it, and the rest is added.
    return Int64(Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
  }

  /// The nanoseconds as schedulers and the system take them, whose numbers may be shorter.
  package var nanoseconds: Int { Int(clamping: countableNanoseconds) }

  /// The duration, or the longest for which a clock can wait: its `sleep` traps at a date that it cannot count.
  package var countable: Duration { min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max)) }
}
