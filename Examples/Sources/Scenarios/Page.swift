// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The output of a scenario: line by line, or piece by piece.
///
/// It is a `TextOutputStream`, so that the operator `print(_:to:)` prints to it as well.
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

  /// Ends a line that has been started.
  func endLine() {
    if !line.isEmpty { write("\n") }
  }
}
