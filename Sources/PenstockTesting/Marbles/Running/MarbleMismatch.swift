// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A difference between a ``MarbleDiagram`` and what happened when it ran.
///
/// Its description shows both, with a caret at the first difference, and the diagram that would be right, to paste into
/// the test. For a long diagram it shows the part around the difference.
public struct MarbleMismatch: Error, Sendable {
  /// The diagram that was expected.
  public let expected: MarbleDiagram

  /// The same diagram with what happened in place of what was expected.
  public let received: MarbleDiagram

  /// The step of the first difference.
  public let step: Int

  /// The name of the line with the first difference.
  public var lane: String { expected.lanes[laneIndex].name }

  private let differing: [Int]
  private let laneIndex: Int
  private let event: Int
  /// The values that were dropped up to the difference; they may be the ones that are missing.
  private let dropped: [MarbleDrop]

  /// The longest line of a description.
  private static let longestLine = 100
  /// The greatest number of values of a step, and of dropped values, that are listed.
  private static let longestList = 8

  internal init(
    expected: MarbleDiagram, received: MarbleDiagram, differing: [Int], lane: Int, step: Int, event: Int,
    dropped: [MarbleDrop]
  ) {
    self.expected = expected
    self.received = received
    self.differing = differing
    self.step = step
    laneIndex = lane
    self.event = event
    self.dropped = dropped
  }
}

extension MarbleMismatch: CustomStringConvertible {
  /// The difference in words, both diagrams with a caret, what was dropped, and the diagram that would be right.
  public var description: String {
    let literal = indented(received.swiftLiteral)
    let width = literal.split(separator: "\n").map { displayWidth(of: $0) }.max() ?? 0
    return
      [
        summary, indented(picture), losses.isEmpty ? nil : losses.joined(separator: "\n"),
        width <= Self.longestLine
          ? "If that is right, the diagram is\n\n\(literal)"
          : "If that is right, the diagram is what `received` of this error prints, in \(width - 2) columns.",
      ].compactMap { $0 }.joined(separator: "\n\n")
  }

  /// The values that never came because nobody had requested them; the last ones, if there are many.
  private var losses: [String] {
    let shown = dropped.suffix(Self.longestList).map(\.description)
    return dropped.count == shown.count ? shown : ["… \(dropped.count - shown.count) more were dropped before"] + shown
  }

  private var summary: String {
    let (wanted, got) = (words(expected.lanes[laneIndex]), words(received.lanes[laneIndex]))
    let time = expected.step == .seconds(1) ? "" : " (\(MarbleDuration.text(expected.step * step)))"
    return "step \(step)\(time): “\(lane)” has \(wanted) here, and \(got) came"
  }

  /// What is compared at the step, in words.
  private func words(_ lane: MarbleLane) -> String {
    let events = lane.events(at: step).filter(lane.compares)
    guard events.count > Self.longestList else {
      return events.isEmpty ? "nothing" : events.map(\.description).joined(separator: ", ")
    }
    let shown = max(0, min(event - 2, events.count - 5))..<min(events.count, max(event + 3, 5))
    let words =
      [shown.lowerBound > 0 ? "…" : nil] + events[shown].map(\.description) + [
        shown.upperBound < events.count ? "…" : nil
      ]
    return words.compactMap { $0 }.joined(separator: ", ") + " (\(events.count) in all)"
  }

  /// The lines of both diagrams, with what was received below what was expected.
  private var picture: String {
    var lanes: [MarbleLane] = []
    var receivedLine = 0
    for index in expected.lanes.indices {
      lanes.append(expected.lanes[index])
      guard differing.contains(index) else { continue }
      let received = received.lanes[index]
      lanes.append(MarbleLane(name: name(ofReceived: received), marks: received.marks, length: received.length))
      if index == laneIndex { receivedLine = lanes.count - 1 }
    }
    let layout = MarbleLayout(lanes)
    // The text at the place of the event, in the longer of the two.
    let candidates = [receivedLine - 1, receivedLine].map {
      layout.column(ofEvent: shownEvent($0, lanes), at: step, inLane: $0)
    }
    var (lines, column) = layout.lines(around: candidates.max() ?? 0, upTo: Self.longestLine - 2)
    lines.insert(String(repeating: " ", count: column) + "^", at: receivedLine + 1)
    return lines.joined(separator: "\n")
  }

  /// The number of the differing event among all that a line shows at the step.
  private func shownEvent(_ line: Int, _ lanes: [MarbleLane]) -> Int {
    let events = lanes[line].events(at: step)
    let compared = events.indices.filter { expected.lanes[laneIndex].compares(events[$0]) }
    return event < compared.count ? compared[event] : events.count
  }

  private func name(ofReceived lane: MarbleLane) -> String {
    switch lane.role {
    case .expected(let subscriber): subscriber.isEmpty ? "received" : "received.\(subscriber)"
    case .source, .requests, .demand: "(received)"
    }
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
      .joined(separator: "\n")
  }
}
