// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Reads the events of a line.
internal struct MarbleLaneParser {
  private let lines: [[Character]]
  private let line: Int
  private let name: String
  private let role: MarbleRole
  private let step: Duration
  private let text: [Character]
  /// The next character.
  private var index: Int
  /// The step of the next event.
  private var cursor = 0
  /// The step that the next pause counts from: that of the previous event, or the start.
  private var origin = 0
  private var marks: [MarbleLane.Mark] = []
  private var phase: Phase

  private enum Phase { case beforeSubscription, active, finished, cancelled }

  /// A diagram with more steps has a mistake in a duration.
  private static let maximumLength = 1_000_000

  init(lines: [[Character]], line: Int, start: Int, name: String, step: Duration) {
    self.lines = lines
    self.line = line
    self.name = name
    self.step = step
    role = MarbleRole(name)
    text = lines[line]
    index = start
    phase = .active
    // A source that shows its subscriptions sends only after a subscription.
    if role == .source, Self.showsSubscription(text[start...]) { phase = .beforeSubscription }
  }

  mutating func parse() throws(MarbleSyntaxError) -> MarbleLane {
    while index < text.count {
      switch text[index] {
      case let character where character.isWhitespace: index += 1
      case "/" where index + 1 < text.count && text[index + 1] == "/": index = text.count
      case "-":
        index += 1
        advance()
      case "{": try parsePause()
      case "[": try parseGroup()
      default:
        try parseMark()
        advance()
      }
    }
    return MarbleLane(name: name, marks: marks, length: cursor)
  }

  private mutating func advance() {
    origin = cursor
    cursor += 1
  }

  private static func showsSubscription(_ text: ArraySlice<Character>) -> Bool {
    var isQuoted = false
    for (index, character) in zip(text.indices, text) {
      if character == "'", text[index - 1] != "\\" { isQuoted.toggle() }
      if isQuoted { continue }
      if character == "^" { return true }
      if character == "/", index + 1 < text.endIndex, text[index + 1] == "/" { return false }
    }
    return false
  }

  // MARK: What takes more than a character

  /// `{250ms}` or `{12}`: the next event comes that long after the previous one.
  private mutating func parsePause() throws(MarbleSyntaxError) {
    let start = index
    guard let end = text[start...].firstIndex(of: "}") else {
      throw mistake("the pause is not closed", allowed: "a “}” behind the length, as in {12}", at: start)
    }
    let word = String(text[(start + 1)..<end].filter { !$0.isWhitespace })
    let count: Int
    if let number = Int(word), number > 0 {
      count = number
    } else if let duration = MarbleDuration.parse(word), duration > .zero {
      let (steps, rest) = duration.countableNanoseconds.quotientAndRemainder(
        dividingBy: step.countableNanoseconds)
      guard rest == 0 else {
        throw mistake(
          "\(word) is no whole number of steps, which take \(MarbleDuration.text(step))",
          allowed: "a multiple of \(MarbleDuration.text(step)), or a line “step” with another length", at: start + 1)
      }
      count = Int(steps)
    } else {
      throw mistake(
        "“\(word)” is no length of a pause", allowed: "a number of steps from 1 on, or \(MarbleDuration.allowed)",
        at: start + 1)
    }
    guard count <= Self.maximumLength, origin + count <= Self.maximumLength else {
      throw mistake(
        "the diagram gets more than \(Self.maximumLength) steps", allowed: "a shorter pause, or longer steps",
        at: start + 1)
    }
    cursor = origin + count
    origin = cursor
    index = end + 1
  }

  /// `[ab]`: several events at one step.
  private mutating func parseGroup() throws(MarbleSyntaxError) {
    let start = index
    let count = marks.count
    index += 1
    while true {
      guard index < text.count else {
        throw mistake("the group is not closed", allowed: "more events of this step, or “]”", at: start)
      }
      if text[index].isWhitespace {
        index += 1
      } else if text[index] == "]" {
        break
      } else if "-{[".contains(text[index]) {
        throw mistake(
          "a group is one step, so it has no “\(text[index])”", allowed: "events of this step, or “]”", at: index)
      } else {
        try parseMark()
      }
    }
    guard marks.count > count else {
      throw mistake("the group is empty", allowed: "an event before “]”, or “-” in place of the group", at: index)
    }
    index += 1
    advance()
  }

  private mutating func parseQuoted() throws(MarbleSyntaxError) -> String {
    let start = index
    var result = ""
    index += 1
    while index < text.count {
      let character = text[index]
      index += 1
      if character == "'" { return result }
      guard character == "\\" else {
        result.append(character)
        continue
      }
      guard index < text.count, let meant = ["n": "\n", "t": "\t", "'": "'", "\\": "\\"][String(text[index])] else {
        throw mistake("nothing is written with this “\\”", allowed: #"\', \\, \n or \t"#, at: index - 1)
      }
      result += meant
      index += 1
    }
    // The mark that was meant to close the text, if a text processor has changed it.
    if let index = text[start...].lastIndex(where: MarbleTypography.isQuote) {
      throw mistake("“\(text[index])” closes no text in quotes", allowed: "a “'” behind the text", at: index)
    }
    throw mistake("the text in quotes is not closed", allowed: "a “'” behind the text", at: start)
  }

  // MARK: One event

  private mutating func parseMark() throws(MarbleSyntaxError) {
    let start = index
    let event = isDemand ? try parseDemandEvent() : try parseStreamEvent()
    try check(event, at: start)
    var mark = MarbleLane.Mark(step: cursor, event: event)
    mark.place = MarblePlace(line: line, column: start)
    marks.append(mark)
  }

  private mutating func parseDemandEvent() throws(MarbleSyntaxError) -> MarbleEvent {
    let start = index
    let character = text[index]
    if character == "'" {
      let word = try parseQuoted()
      guard let count = Int(word), count >= 0 else {
        throw mistake("“\(word)” is no number of values", allowed: "digits in the quotes, as in '12'", at: start)
      }
      return .requested(.max(count))
    }
    index += 1
    switch character {
    case "*": return .requested(.unlimited)
    case "^": return .subscribed
    case "!": return .cancelled
    default:
      if character.isASCII, let count = character.wholeNumberValue { return .requested(.max(count)) }
      throw mistake("“\(character)” is no demand\(hint(character))", allowed: allowed, at: start)
    }
  }

  private mutating func parseStreamEvent() throws(MarbleSyntaxError) -> MarbleEvent {
    let start = index
    let character = text[index]
    if character == "'" { return .value(try parseQuoted()) }
    index += 1
    switch character {
    case "|": return .finished
    case "#":
      guard index < text.count, text[index] == "'" else { return .failed(nil) }
      let name = try parseQuoted()
      if name.isEmpty {
        throw mistake(
          "the name of the failure is empty", allowed: "“#” alone, or a name, as in #'offline'", at: start + 1)
      }
      return .failed(name)
    case "^": return .subscribed
    case "!": return .cancelled
    default:
      if MarbleEvent.mayStandAlone(character) { return .value(String(character)) }
      throw mistake("“\(character)” is no event\(hint(character))", allowed: allowed, at: start)
    }
  }

  /// Checks that an event may come here, and notes what it means for those that follow.
  private mutating func check(_ event: MarbleEvent, at start: Int) throws(MarbleSyntaxError) {
    switch (event, phase) {
    case (.subscribed, .active) where role == .source:
      throw mistake("the subscription before goes on", allowed: "“|”, “#” or “!” before the next “^”", at: start)
    case (.subscribed, _) where role == .source || (isOfRequests && phase == .cancelled): phase = .active
    case (_, .beforeSubscription):
      throw mistake(
        "the line shows where its subscriptions begin, and this comes before", allowed: "“-”, {…} or “^”", at: start)
    case (.cancelled, .active):
      // A source that sends whether or not anybody listens continues.
      if role != .source || marks.contains(where: { $0.event == .subscribed }) { phase = .cancelled }
    case (.finished, .active), (.failed, .active): phase = .finished
    case (_, .finished):
      throw mistake("the stream has ended before", allowed: afterEnd, at: start)
    case (_, .cancelled):
      throw mistake("the subscription has been cancelled before", allowed: afterEnd, at: start)
    default: break
    }
  }

  // MARK: Mistakes

  private var isDemand: Bool {
    switch role {
    case .requests, .demand: true
    case .source, .expected: false
    }
  }

  /// Whether the line shows what is requested from a source, which may be subscribed to more than once.
  private var isOfRequests: Bool {
    if case .requests = role { true } else { false }
  }

  private var allowed: String {
    isDemand
      ? "a digit, a longer number in quotes, “*” for everything, “-”, {…}, [ ], “^” or “!”"
      : "a value (a letter, a digit or text in single quotes), “-”, {…}, [ ], “|”, “#”, “^” or “!”"
  }

  private var afterEnd: String {
    (role == .source && marks.contains { $0.event == .subscribed }) || isOfRequests
      ? "“-”, {…}, or “^” for one more subscription" : "“-” or {…}"
  }

  /// Returns what a user of another dialect may mean by a character.
  private func hint(_ character: Character) -> String {
    switch character {
    case "(", ")": "; a group is written in square brackets, as in [ab]"
    case "\"": "; text is written in single quotes"
    case ";": "; “!” cancels"
    case ",": "; demand has a line of its own, called “demand”"
    case "*": "; demand has a line of its own, called “demand”"
    case "|", "#": "; a subscriber that wants no more is written “!”"
    case "]", "}": "; nothing was opened that it could close"
    default: MarbleTypography.hint(character) ?? ""
    }
  }

  private func mistake(_ problem: String, allowed: String, at column: Int) -> MarbleSyntaxError {
    MarbleSyntaxError(problem, allowed: allowed, at: MarblePlace(line: line, column: column), in: lines)
  }
}
