// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// A demand in the reference, which shares no arithmetic with the library.
struct Amount: Comparable, Sendable {
  /// `Int.max` for an unlimited amount.
  private(set) var count: Int

  init(_ count: Int) { self.count = count }

  static let unlimited = Amount(.max)
  static let none = Amount(0)

  var isUnlimited: Bool { count == .max }
  var demand: Subscribers.Demand { isUnlimited ? .unlimited : .max(count) }

  static func < (a: Amount, b: Amount) -> Bool { a.count < b.count }

  static func + (a: Amount, b: Amount) -> Amount {
    a.isUnlimited || b.isUnlimited ? .unlimited : Amount(a.count + b.count)
  }

  static func * (a: Amount, factor: Int) -> Amount { a.isUnlimited ? .unlimited : Amount(a.count * factor) }

  static func += (a: inout Amount, b: Amount) { a = a + b }

  /// Uses up one of it.
  ///
  /// - Returns: Whether there was one.
  mutating func take() -> Bool {
    if count == 0 { return false }
    if !isUnlimited { count -= 1 }
    return true
  }
}

extension Amount: CustomStringConvertible {
  var description: String { isUnlimited ? "unlimited" : "\(count)" }

  /// As it is written in a program.
  var swift: String { isUnlimited ? ".unlimited" : count == 0 ? ".none" : ".max(\(count))" }
}
