// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Reads the lines of a diagram; ``MarbleLaneParser`` reads what is in one.
internal struct MarbleParser {
  private let lines: [[Character]]
  private var step: Duration = .seconds(1)

  init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init) }

  mutating func parse() throws(MarbleSyntaxError) -> MarbleDiagram {
    // Durations in lanes are counted in steps, wherever the text gives the length of a step.
    for (number, line) in lines.enumerated() where firstWord(of: line).word == "step" {
      step = try parseStep(number)
    }
    var lanes: [MarbleLane] = []
    var labels: [String] = []
    for (number, line) in lines.enumerated() {
      let (word, start) = firstWord(of: line)
      if word.isEmpty || word.hasPrefix("//") || word == "step" { continue }
      if word.hasPrefix(">") {
        // Lines of code keep their indentation, after the one space that separates them from the sign.
        let text = line[(start + 1)...]
        labels.append(trimmed(text.first == " " ? text.dropFirst() : text))
      } else {
        lanes.append(try parseLane(named: word, line: number, column: start, besides: lanes))
      }
    }
    guard !lanes.isEmpty else {
      throw MarbleSyntaxError(
        "there is no line with events", allowed: "a name and events, such as “source  a-b-|”",
        at: MarblePlace(line: 0, column: 0), in: lines)
    }
    for lane in lanes {
      guard case .requests(let source) = lane.role, !lanes.contains(where: { $0.name == source }) else { continue }
      let number = lines.firstIndex { firstWord(of: $0).word == lane.name }!
      throw MarbleSyntaxError(
        "there is no line “\(source)” whose demand this could be",
        allowed: "“demand” for a subscriber, or the name of a source and “.demand”",
        at: MarblePlace(line: number, column: firstWord(of: lines[number]).start), in: lines)
    }
    for lane in lanes { try checkActs(of: lane, besides: lanes) }
    return MarbleDiagram(lanes: lanes, step: step, label: labels.joined(separator: "\n"), text: lines)
  }

  /// Checks that a subscriber subscribes and cancels in one of its two lines.
  private func checkActs(of lane: MarbleLane, besides lanes: [MarbleLane]) throws(MarbleSyntaxError) {
    guard case .expected(let subscriber) = lane.role else { return }
    guard let demand = lanes.first(where: { $0.role == .demand(subscriber: subscriber) }) else { return }
    for mark in lane.marks where mark.event.isSubscriberAct && demand.has(mark.event) {
      throw MarbleSyntaxError(
        "“\(mark.event)” is in the line “\(demand.name)”, too", allowed: "it in one of the two lines",
        at: mark.place ?? MarblePlace(line: 0, column: 0), in: lines)
    }
  }

  private func parseLane(
    named name: String, line: Int, column: Int, besides lanes: [MarbleLane]
  ) throws(MarbleSyntaxError) -> MarbleLane {
    let place = { (offset: Int) in MarblePlace(line: line, column: column + offset) }
    let isPart = { (character: Character) in character.isLetter || character.isNumber || "._".contains(character) }
    if let wrong = name.enumerated().first(where: { !isPart($0.element) }) {
      throw MarbleSyntaxError(
        "a line begins with a name, and “\(wrong.element)” is no part of one",
        allowed: "letters, digits, “.” and “_”, then a space and the events, as in “source  a-b-|”",
        at: place(wrong.offset), in: lines)
    }
    if lanes.contains(where: { $0.name == name }) {
      throw MarbleSyntaxError(
        "there are two lines called “\(name)”", allowed: "another name, such as “\(name)2”", at: place(0), in: lines)
    }
    var parser = MarbleLaneParser(lines: lines, line: line, start: column + name.count, name: name, step: step)
    let lane = try parser.parse()
    guard lane.length > 0 else {
      throw MarbleSyntaxError(
        "the line “\(name)” has no events", allowed: "events after a space, such as “\(name)  a-b-|”",
        at: place(name.count), in: lines)
    }
    return lane
  }

  private func parseStep(_ number: Int) throws(MarbleSyntaxError) -> Duration {
    let line = lines[number]
    let start = firstWord(of: line).start + "step".count
    let word = firstWord(of: Array(line[start...]))
    let place = MarblePlace(line: number, column: start + word.start)
    guard let duration = MarbleDuration.parse(word.word), duration > .zero else {
      throw MarbleSyntaxError(
        "the length of a step is missing", allowed: MarbleDuration.allowed, at: place, in: lines)
    }
    return duration
  }

  private func firstWord(of line: [Character]) -> (word: String, start: Int) {
    let start = line.firstIndex { !$0.isWhitespace } ?? line.count
    return (String(line[start...].prefix { !$0.isWhitespace }), start)
  }

  /// A text without the spaces at its end.
  private func trimmed(_ text: ArraySlice<Character>) -> String {
    String(text.reversed().drop(while: \.isWhitespace).reversed())
  }
}
