// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publishers {
  /// Publishes the numbers from a given one down to zero.
  public static func countdown(from number: Int) -> some Publisher<Int, Never> {
    source { CountdownStage(number: number) }
  }
}

struct CountdownStage: SourceStage {
  var number: Int

  static var isQuiet: Bool { true }

  var isExhausted: Bool { number < 0 }

  mutating func next() -> Int? {
    defer { number -= 1 }
    return number
  }
}
