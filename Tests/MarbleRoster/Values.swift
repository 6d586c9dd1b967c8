// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

/// A value with a form in JSON.
struct Item: Codable, Equatable, CustomStringConvertible {
  let n: Int

  var description: String { "Item(\(n))" }

  static var values: MarbleValues<Item> { ["Item(1)": Item(n: 1), "Item(2)": Item(n: 2)] }
}

/// A value with several properties.
struct TimeOfDay {
  let hour, minute, second: Int

  init?(_ text: String) {
    let parts = text.split(separator: ":").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    (hour, minute, second) = (parts[0], parts[1], parts[2])
  }
}

extension MarbleBench {
  /// A source of times of day.
  func times() -> MarbleSource<TimeOfDay, MarbleFailure> { source(values: MarbleValues { TimeOfDay($0) }) }
}

/// Half of an even number.
func half(_ number: Int) throws -> Int {
  guard number.isMultiple(of: 2) else { throw MarbleFailure("odd") }
  return number / 2
}

/// Whether a number is even; no negative one is either.
func isEven(_ number: Int) throws -> Bool {
  guard number >= 0 else { throw MarbleFailure("negative") }
  return number.isMultiple(of: 2)
}
