// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A seeded generator of random numbers: the same on every machine and in every release of Swift.
struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  /// Mixed, so that neighbouring seeds are unrelated.
  init(seed: UInt64) { state = Self.mixed(seed &+ 0xD1B5_4A32_D192_ED03) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  private static func mixed(_ state: UInt64) -> UInt64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Returns true in a given percentage of cases.
  mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(0...choices.count - 1)] }

  /// One of several choices, in proportion to their weights.
  mutating func weighted<Choice>(_ choices: [(weight: Int, choice: Choice)]) -> Choice {
    var left = number(0...choices.reduce(0) { $0 + $1.weight } - 1)
    for (weight, choice) in choices {
      left -= weight
      if left < 0 { return choice }
    }
    return choices[choices.count - 1].choice
  }
}
