// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A recorded run, as a table that people read: who called whom, on which thread, and granted against delivered.
///
/// Indented calls were made inside the call above them. A mark shows the step that breaks a rule.
public struct Trace: Sendable, CustomStringConvertible {
  /// The calls, in order.
  public let events: [StreamEvent]

  /// The step that breaks a rule, as a place in `events`, and what is wrong with it.
  let mark: (event: Int, text: String)?

  init(_ events: [StreamEvent], mark: (event: Int, text: String)? = nil) {
    (self.events, self.mark) = (events, mark)
  }

  /// The table; of a long run, the beginning and what surrounds the mark or the end.
  public var description: String {
    guard !events.isEmpty else { return "  (no call at all)" }
    let focus = mark?.event ?? events.count - 1
    let shown = events.indices.filter { $0 < 6 || abs($0 - focus) <= 10 }
    let texts = events.map { event in
      String(repeating: "  ", count: event.inside.count) + shortened(event.description)
        + (event.depth > 1 && event.isSignal ? "  depth \(event.depth)" : "")
    }
    let width = Swift.max(24, shown.map { texts[$0].count }.max() ?? 0)
    var lines = ["   #  thread  " + padded("call", width) + "  granted  delivered"]
    var last = -1
    for place in shown {
      if place != last + 1 { lines.append("      … \(place - last - 1) more") }
      last = place
      let event = events[place]
      var line = aligned("\(place + 1)", 4) + "  " + padded("\(event.thread)", 6) + "  " + padded(texts[place], width)
      line += "  " + aligned(event.granted.words, 7) + "  " + aligned("\(event.delivered)", 9)
      if let mark, mark.event == place { line += "  ◀ \(mark.text)" }
      lines.append(line)
    }
    if last < events.count - 1 { lines.append("      … \(events.count - 1 - last) more") }
    return lines.joined(separator: "\n")
  }

  /// A type without a description of its own may have a long name, in which only the beginning tells something.
  private func shortened(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: Swift.max(0, width - text.count))
  }

  private func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - text.count)) + text
  }
}
