// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// The latest notes, each once, with the number of its occurrences.
struct Notes {
  private static let most = 8
  private var notes: [(text: String, count: Int)] = []

  mutating func add(_ text: String) {
    let before = notes.firstIndex { $0.text == text }.map { notes.remove(at: $0).count } ?? 0
    notes.append((text, before + 1))
    if notes.count > Self.most { notes.removeFirst() }
  }

  /// Returns lines that a terminal with a number of columns does not wrap.
  func lines(width: Int) -> [String] {
    notes.map { text, count in
      let times = count > 1 ? " (\(count) times)" : ""
      let room = max(0, width - times.count)
      return (text.count <= room ? text : String(text.prefix(max(0, room - 1))) + "…") + times
    }
  }
}

/// How many columns the terminal has; 80 if it does not say.
var terminalWidth: Int {
  var size = winsize()
  guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return Int(size.ws_col)
}
