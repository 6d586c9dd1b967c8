// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A stream that keeps what is written to it, piece by piece.
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
