// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Where a scenario prints: line by line, or piece by piece.
///
/// It is a `TextOutputStream`, so that `print(_:to:)`, the operator, prints there as well.
final class Page: TextOutputStream {
  private let printLine: (String) -> Void
  private var line = ""

  init(print: @escaping (String) -> Void) {
    printLine = print
  }

  /// Prints a line.
  func print(_ text: String) {
    write(text + "\n")
  }

  func write(_ text: String) {
    for character in text {
      if character == "\n" {
        printLine(line)
        line = ""
      } else {
        line.append(character)
      }
    }
  }

  /// Ends a line that has been begun.
  func endLine() {
    if !line.isEmpty { write("\n") }
  }
}
