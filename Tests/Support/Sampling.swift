// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

// Tests that take tens of seconds of processor time run in full only in `.ci/run lists`, which sets `PENSTOCK_WHOLE`,
// and finds the suites by the name of these methods.

private let isWhole = ProcessInfo.processInfo.environment["PENSTOCK_WHOLE"] != nil

extension Array {
  /// Returns one in a number of cases, spread evenly over the list; the whole list if `PENSTOCK_WHOLE` is set.
  ///
  /// A prime is best: if a list has several dimensions, a part would otherwise have the same value of one of them again
  /// and again.
  ///
  /// - Parameter name: Where the part begins, so that the tests of a roster, each with its name, have all parts among them.
  public func sampled(oneIn count: Int, for name: String = "") -> [Element] {
    if isWhole { return self }
    var first = 0
    for byte in name.utf8 { first = (first + Int(byte)) % count }
    return stride(from: first, to: self.count, by: count).map { self[$0] }
  }
}

extension Int {
  /// Returns a number of values or rounds, divided; all of them if `PENSTOCK_WHOLE` is set.
  public func sampled(oneIn count: Int) -> Int { isWhole ? self : self / count }
}
