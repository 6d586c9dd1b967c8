// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector.Recording {
  /// Returns a test that repeats the signals, to be pasted into a file of tests: a marble diagram.
  ///
  /// It passes as it is. Write the operators under test behind its source; `verify` then prints what comes out of them,
  /// as a diagram to paste.
  ///
  /// ```swift
  /// let typed = PassthroughSubject<String, Never>()
  /// let cancellable = typed.inspected("typed") { $0 }.sink { _ in }
  /// typed.send("ga")
  /// print(Inspector.snapshot()["typed"]!["typed"]!.described!.marbleTest(of: "typed"))
  /// cancellable.cancel()
  /// // Prints:
  /// // @Test func `typed, as recorded`() throws {
  /// //   let diagram = try MarbleDiagram(
  /// //     """
  /// //     step      50ms
  /// //     source    'ga'
  /// //     expected  'ga'
  /// //     """)
  /// //   try diagram.verify { bench in
  /// //     // Here goes what comes behind “typed”, with bench.scheduler as its scheduler.
  /// //     bench.source()
  /// //   }
  /// // }
  /// ```
  ///
  /// Times are rounded to steps, and a step is longer than asked for if the signals would need more than 100,000. A cancel
  /// comes at least one step behind the last value, since a subscriber acts before a source within a step.
  ///
  /// - Parameters:
  ///   - name: The name of the place.
  ///   - step: The length of a step, a whole number of milliseconds.
  /// - Returns: The test, as source text.
  public func marbleTest(of name: String, step: Duration = .milliseconds(50)) -> String {
    let lines = RecordedLines(
      inputs: self, outputs: nil, step: MarbleTest.milliseconds(step, of: "marbleTest(of:step:)"))
    return MarbleTest.text(lines, title: name, lost: earlier, gap: "comes behind “\(MarbleTest.plain(name))”")
  }
}

extension Inspector.Stream {
  /// Returns a test of the signals that have passed two places of the stream, to be pasted into a file of tests: a
  /// marble diagram.
  ///
  /// The test lacks the operators between the two places, which only you know: write them where its comment says.
  ///
  /// ```swift
  /// let typed = PassthroughSubject<String, Never>()
  /// let cancellable = typed.inspected("typed") { $0 }.map { $0.uppercased() }.inspected("shown") { $0 }.sink { _ in }
  /// typed.send("a")
  /// print(try Inspector.snapshot()["typed"]!.marbleTest(from: "typed", to: "shown"))
  /// cancellable.cancel()
  /// // Prints:
  /// // @Test func `shown, as recorded`() throws {
  /// //   let diagram = try MarbleDiagram(
  /// //     """
  /// //     step      50ms
  /// //     source    a
  /// //     expected  A
  /// //     """)
  /// //   try diagram.verify { bench in
  /// //     // Here goes what is between “typed” and “shown”, with bench.scheduler as its scheduler.
  /// //     bench.source()
  /// //   }
  /// // }
  /// ```
  ///
  /// Times are rounded to steps. The time of an output is counted from the latest input before it, so that the short
  /// times that a running program takes for its work do not add up.
  ///
  /// - Parameters:
  ///   - input: The name of a place further upstream.
  ///   - output: The name of a place further downstream; both have been inspected with a closure that describes values.
  ///   - step: The length of a step, a whole number of milliseconds.
  /// - Returns: The test, as source text.
  /// - Throws: An ``Inspector/NotRecorded`` if a place is missing, or keeps no texts.
  public func marbleTest(
    from input: String, to output: String, step: Duration = .milliseconds(50)
  ) throws(Inspector.NotRecorded) -> String {
    let milliseconds = MarbleTest.milliseconds(step, of: "marbleTest(from:to:step:)")
    let (inputs, outputs) = (try recording(of: input), try recording(of: output))
    return MarbleTest.text(
      RecordedLines(inputs: inputs, outputs: outputs, step: milliseconds), title: output,
      lost: inputs.earlier + outputs.earlier,
      gap: "is between “\(MarbleTest.plain(input))” and “\(MarbleTest.plain(output))”")
  }

  private func recording(of name: String) throws(Inspector.NotRecorded) -> Inspector.Recording {
    guard let link = self[name] else {
      throw Inspector.NotRecorded(
        description: "no link of the stream is called “\(name)”: name a place with inspected(_:), and give it that name"
      )
    }
    guard let recording = link.described else {
      throw Inspector.NotRecorded(
        description: "“\(name)” keeps no texts of its values: use inspected(_:describing:) there")
    }
    return recording
  }
}

/// The source text of a test.
private enum MarbleTest {
  static func milliseconds(_ step: Duration, of function: String) -> Int {
    let milliseconds = Int(step / .milliseconds(1))
    require(
      milliseconds >= 1 && step == .milliseconds(milliseconds), of: function,
      rule: "a step of whole milliseconds, at least one", given: step)
    return milliseconds
  }

  static func text(_ lines: RecordedLines, title: String, lost: Int, gap: String) -> String {
    let note = lost == 1 ? "1 earlier signal is" : "\(lost) earlier signals are"
    return """
      @Test func `\(plain(title)), as recorded`() throws {
      \(lost == 0 ? "" : "  // \(note) not in it.\n")\
        let diagram = try MarbleDiagram(
          \"""
          step      \(lines.step)ms
          source    \(lines.source)
          expected  \(lines.expected)
          \""")
        try diagram.verify { bench in
          // Here goes what \(gap), with bench.scheduler as its scheduler.
          bench.source()
        }
      }
      """
  }

  /// A text that ends neither a name in backticks, nor a comment, nor a text in quotes, whoever has written it.
  static func plain(_ text: String) -> String {
    var plain = ""
    var quotes = 0
    for scalar in text.unicodeScalars {
      quotes = scalar == "\"" ? quotes + 1 : 0
      switch scalar {
      case "`", "'", "\\": plain.append("�")
      // The third would end the diagram.
      case "\"" where quotes.isMultiple(of: 3): plain.append("�")
      // Controls, ends of lines, and what changes the direction of the text around it.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FEFF}":
        plain.append("�")
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}

/// Recordings as lines of a marble diagram.
private struct RecordedLines {
  private typealias Event = (step: Int, kind: Inspector.Recording.Signal.Kind)

  let source: String
  let expected: String
  /// In milliseconds.
  let step: Int

  /// A diagram may have ten times as many.
  private static var maximumLength: Int { 100_000 }

  /// - Parameter outputs: What comes out; `nil` for what has gone in.
  init(inputs: Inspector.Recording, outputs: Inspector.Recording?, step: Int) {
    let times = (inputs.signals + (outputs?.signals ?? [])).map(\.time)
    guard let start = times.min(), let end = times.max() else {
      (source, expected, self.step) = ("-", "-", step)
      return
    }
    var length = step
    while start.duration(to: end) / .milliseconds(length) > Double(Self.maximumLength) { length *= 10 }
    func steps(_ duration: Duration) -> Int { Int((duration / .milliseconds(length)).rounded()) }
    let sent = inputs.signals.map { (step: steps(start.duration(to: $0.time)), signal: $0) }
    let received = outputs?.signals.map { signal in
      guard let cause = sent.last(where: { $0.signal.time <= signal.time }) else {
        return (step: steps(start.duration(to: signal.time)), signal: signal)
      }
      return (step: cause.step + steps(cause.signal.time.duration(to: signal.time)), signal: signal)
    }
    // A source that sends whether or not anybody listens cannot see a cancel: it is the subscriber's.
    source = Self.line(sent.filter { $0.signal.kind != .cancelled }.map { ($0.step, $0.signal.kind) }, length)
    var events: [Event] = (received ?? sent).map { ($0.step, $0.signal.kind) }
    if let last = events.last, last.kind == .cancelled {
      // Within a step a subscriber acts before a source does.
      let before = (sent.filter { $0.signal.kind != .cancelled }.map(\.step) + events.dropLast().map(\.step)).max()
      events[events.count - 1].step = max(last.step, (before ?? -1) + 1)
    }
    expected = Self.line(events, length)
    self.step = length
  }

  private static func line(_ events: [Event], _ length: Int) -> String {
    var line = ""
    var last: Int?
    var index = 0
    while index < events.count {
      let step = events[index].step
      let together = events[index...].prefix { $0.step <= step }
      let texts = together.map(\.kind.symbol).joined()
      if last != nil || step > 0 { line += "{\(text((step - (last ?? 0)) * length))}" }
      line += together.count == 1 ? texts : "[\(texts)]"
      last = step
      index += together.count
    }
    return line.isEmpty ? "-" : line
  }

  /// A length of time in the longest unit of which it is a whole number.
  private static func text(_ milliseconds: Int) -> String {
    if milliseconds.isMultiple(of: 60_000) { return "\(milliseconds / 60_000)min" }
    return milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}

extension Inspector.Recording.Signal.Kind {
  /// The symbol for the text in a diagram: a letter or a digit as it is, any other text in quotes.
  fileprivate var symbol: String {
    switch self {
    case .finished: return "|"
    case .failed: return "#"
    case .cancelled: return "!"
    case .value(let text):
      if text.count == 1, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) { return text }
      let plain = MarbleTest.plain(text)
      let symbol = "'\(plain)'"
      // A text may begin with an accent, or end with a sign, that joins the quote.
      return symbol.count == plain.count + 2 ? symbol : "'�\(plain)�'"
    }
  }
}
