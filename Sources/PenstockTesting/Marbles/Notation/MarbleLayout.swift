// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Lines of a diagram with their steps below each other.
internal struct MarbleLayout {
  private let lanes: [MarbleLane]
  private let nameWidth: Int
  /// The contents of each step of each lane: a text with the offset of each event in it.
  private let tokens: [[Int: Token]]
  private let columns: [Column]

  private struct Token {
    var text = ""
    var offsets: [Int] = []
  }

  /// A step, or a pause in all lanes.
  private struct Column {
    var step: Int
    var end: Int
    var start: Int
    var width: Int

    var isPause: Bool { end > step + 1 }
  }

  /// The greatest number of steps without an event in any lane that are written out.
  private static let longestGap = 12

  init(_ lanes: [MarbleLane]) {
    self.lanes = lanes
    nameWidth = (lanes.map { displayWidth(of: $0.name) }.max() ?? 0) + 2
    tokens = lanes.map { lane in
      Dictionary(grouping: lane.marks, by: \.step).mapValues { Self.token($0.map(\.event)) }
    }
    let used = Set(tokens.flatMap(\.keys))
    let length = lanes.map(\.length).max() ?? 0
    var columns: [Column] = []
    var (step, start) = (0, 0)
    while step < length {
      var end = step + 1
      if !used.contains(step) {
        while end < length, !used.contains(end) { end += 1 }
        if end - step <= Self.longestGap { end = step + 1 }
      }
      let width =
        end == step + 1
        ? tokens.map { displayWidth(of: $0[step]?.text ?? "-") }.max()!
        : "{\(end)}".count
      columns.append(Column(step: step, end: end, start: start, width: width))
      start += width
      step = end
    }
    self.columns = columns
  }

  private static func token(_ events: [MarbleEvent]) -> Token {
    if events.count == 1 { return Token(text: events[0].description, offsets: [0]) }
    var token = Token(text: "[")
    for event in events {
      token.offsets.append(displayWidth(of: token.text))
      token.text += event.description
    }
    token.text += "]"
    return token
  }

  /// The lines.
  var lines: [String] {
    zip(lanes, tokens).map { lane, tokens in
      var line = padded(lane.name, to: nameWidth)
      for column in columns where column.step < lane.length {
        // A pause counts from the step before.
        let origin = max(0, column.step - 1)
        let text =
          column.isPause ? "{\(min(column.end, lane.length) - origin)}" : tokens[column.step]?.text ?? "-"
        line += padded(text, to: column.width)
      }
      return line.trimmed
    }
  }

  /// The column of an event in its line: that of the step, if the step has fewer events.
  func column(ofEvent number: Int, at step: Int, inLane lane: Int) -> Int {
    guard let column = columns.last(where: { $0.step <= step }) else { return nameWidth }
    let offsets = tokens[lane][step]?.offsets ?? [0]
    let behind = displayWidth(of: tokens[lane][step]?.text ?? "-") - 1
    let offset = number < offsets.count ? offsets[number] : offsets.count > 1 ? behind : 0
    return nameWidth + column.start + offset
  }

  /// The lines in a number of columns: if they are longer, the part around a column, and the place of that column in
  /// it.
  func lines(around column: Int, upTo width: Int) -> (lines: [String], column: Int) {
    let lines = lines
    let end = columns.last.map { $0.start + $0.width } ?? 0
    guard nameWidth + end > width else { return (lines, column) }
    let (place, room) = (column - nameWidth, max(20, width - nameWidth - 4))
    // Whole steps, unless one alone is too wide.
    var from = max(0, min(place - room / 2, end - room))
    if let start = columns.first(where: { $0.start >= from })?.start, start <= place { from = start }
    var to = min(end, from + room)
    if let last = columns.last(where: { $0.start + $0.width <= to }), last.start + last.width > place {
      to = last.start + last.width
    }
    let shown = (nameWidth + from)..<(nameWidth + to)
    let before = from > 0 ? "… " : ""
    return (
      lines.map { line in
        let length = displayWidth(of: line)
        let name = padded(Self.part(of: line, 0..<nameWidth), to: nameWidth)
        let text = Self.part(of: line, shown)
        return length > shown.upperBound
          ? name + before + padded(text, to: shown.count) + " …" : name + (before + text).trimmed
      }, nameWidth + before.count + place - from
    )
  }

  /// The part of a text that is in a range of columns.
  private static func part(of text: String, _ range: Range<Int>) -> String {
    var (result, column) = ("", 0)
    for character in text {
      let end = column + displayWidth(of: String(character))
      if column >= range.lowerBound, end <= range.upperBound {
        result.append(character)
      } else if column < range.upperBound, end > range.lowerBound {
        // A half of a wide character.
        result.append(" ")
      }
      column = end
    }
    return result
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(of: text)))
  }
}

extension String {
  /// The text without the spaces at its end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
