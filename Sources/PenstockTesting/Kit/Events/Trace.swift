// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A recorded run as a table for people: who called whom, on which thread, and demand granted against values delivered.
///
/// Indented calls were made inside the call above them. A mark shows the step that breaks a rule. No line is longer than a
/// hundred columns, however deep the calls are and however long the names.
public struct Trace: Sendable, CustomStringConvertible {
  /// The calls, in order.
  public let events: [StreamEvent]

  /// The step that breaks a rule, as a place in `events`, and what is wrong with it.
  let mark: (event: Int, text: String)?

  /// The longest line.
  private static let longestLine = 100
  /// How deep calls are indented; a deeper call says so.
  private static let levels = 12

  init(_ events: [StreamEvent], mark: (event: Int, text: String)? = nil) {
    (self.events, self.mark) = (events, mark)
  }

  /// The table; for a long run, its beginning and the part around the mark or the end.
  public var description: String {
    guard !events.isEmpty else { return "  (no call at all)" }
    let focus = mark?.event ?? events.count - 1
    let shown = events.indices.filter { $0 < 6 || abs($0 - focus) <= 10 }
    let places = Swift.max(4, "\(events.count)".count)
    let threads = Swift.max(6, shown.map { "\(events[$0].thread)".count }.max() ?? 0)
    let granted = Swift.max(7, shown.map { events[$0].granted.words.count }.max() ?? 0)
    let delivered = Swift.max(9, shown.map { "\(events[$0].delivered)".count }.max() ?? 0)
    let room = Self.longestLine - places - threads - granted - delivered - 8
    let calls = Dictionary(uniqueKeysWithValues: shown.map { ($0, call(events[$0], in: room)) })
    let width = Swift.max(24, calls.values.map(\.count).max() ?? 0)
    let line = { (place: String, thread: String, call: String, all: String, count: String) in
      [
        aligned(place, places), padded(thread, threads), padded(call, width), aligned(all, granted),
        aligned(count, delivered),
      ].joined(separator: "  ")
    }
    var lines = [line("#", "thread", "call", "granted", "delivered")]
    var last = -1
    for place in shown {
      if place != last + 1 { lines.append("      … \(place - last - 1) more") }
      last = place
      let event = events[place]
      lines.append(
        line("\(place + 1)", "\(event.thread)", calls[place] ?? "", event.granted.words, "\(event.delivered)"))
      guard let mark, mark.event == place else { continue }
      if lines[lines.count - 1].count + mark.text.count + 4 <= Self.longestLine {
        lines[lines.count - 1] += "  ◀ " + mark.text
      } else {
        lines += wrapped(mark.text)
      }
    }
    if last < events.count - 1 { lines.append("      … \(events.count - 1 - last) more") }
    return lines.joined(separator: "\n")
  }

  /// A call with its indentation, in a number of columns.
  private func call(_ event: StreamEvent, in room: Int) -> String {
    let level = event.inside.count
    var before = String(repeating: "  ", count: Swift.min(level, Self.levels))
    if level > Self.levels { before += "… \(level - Self.levels) deeper  " }
    let behind = event.depth > 1 && event.isSignal ? "  depth \(event.depth)" : ""
    return before + shortened(event.description, to: room - before.count - behind.count) + behind
  }

  /// A text in one line, with its middle left out if it is too long: a type without a description of its own may have a
  /// long name, which begins with its module and ends with its generic arguments.
  private func shortened(_ text: String, to length: Int) -> String {
    let text = String(text.map { $0.isNewline ? " " : $0 })
    guard text.count > length else { return text }
    let behind = (length - 1) / 3
    return text.prefix(length - 1 - behind) + "…" + text.suffix(behind)
  }

  /// What is wrong with a step, in lines of its own below the step if it does not fit beside it.
  private func wrapped(_ text: String) -> [String] {
    let indentation = String(repeating: " ", count: 14)
    var lines: [String] = []
    var line = indentation + "▲"
    for word in text.split(whereSeparator: \.isWhitespace) {
      // A word that is longer than a line is a name.
      let word = shortened(String(word), to: Self.longestLine - indentation.count - 2)
      if line.count + 1 + word.count > Self.longestLine {
        lines.append(line)
        line = indentation + " "
      }
      line += " " + word
    }
    return lines + [line]
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: Swift.max(0, width - text.count))
  }

  private func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - text.count)) + text
  }
}
