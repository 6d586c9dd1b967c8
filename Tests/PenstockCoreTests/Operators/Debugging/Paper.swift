// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An output stream that keeps each piece of text that is written to it.
final class Paper: TextOutputStream {
  var pieces: [String] = []
  var onWrite: ((String) -> Void)?
  var text: String { pieces.joined() }
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  func write(_ text: String) {
    pieces.append(text)
    onWrite?(text)
  }
}
