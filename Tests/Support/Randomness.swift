// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Random numbers that are the same in each run.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    // SplitMix64: a counter, and a mixing function for its values.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of any magnitude: each number of bits is equally likely.
  public mutating func number() -> Int {
    let number = Int(truncatingIfNeeded: next()) >> Int.random(in: 0..<64, using: &self)
    return Bool.random(using: &self) ? number : ~number
  }
}
