// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// A Markdown table that prints each row as soon as it is known.
struct Table {
  private let widths: [Int]

  init(_ titles: [String], widths: [Int]) {
    self.widths = zip(titles, widths).map { max($0.count, $1) }
    row(titles)
    print("|" + self.widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|")
  }

  func row(_ cells: [String]) {
    let padded = zip(cells, widths).map { cell in
      let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return Double(cell.0) == nil ? cell.0 + space : space + cell.0
    }
    print("| " + padded.joined(separator: " | ") + " |")
    // At once, even if the output is a file or a pipe.
    fflush(nil)
  }
}

extension DefaultStringInterpolation {
  /// A number with a given number of digits after the point.
  mutating func appendInterpolation(_ number: Double, _ digits: Int) {
    appendInterpolation(String(format: "%.\(digits)f", number))
  }
}
