// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An output stream that keeps each piece of text that is written to it.
public final class Paper: TextOutputStream {
  public var pieces: [String] = []
  /// Called after a piece has been kept.
  public var onWrite: ((String) -> Void)?

  public init() {}

  public var text: String { pieces.joined() }
  public var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// Removes what has been written, and returns its lines.
  public func takeLines() -> [String] {
    defer { pieces = [] }
    return lines
  }

  public func write(_ text: String) {
    pieces.append(text)
    onWrite?(text)
  }
}

/// An output stream that discards everything.
public struct Nowhere: TextOutputStream {
  public init() {}

  public func write(_ text: String) {}
}
