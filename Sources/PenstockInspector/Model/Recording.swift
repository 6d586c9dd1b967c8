// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector {
  /// The latest signals that have passed a link, with texts of their values.
  public struct Recording: Sendable, Hashable {
    /// A signal with a text of its value.
    public struct Signal: Sendable, Hashable {
      /// The kind of a signal.
      public enum Kind: Sendable, Hashable {
        /// A value, as the text that the link's closure has made of it.
        case value(String)
        /// The completion `.finished`.
        case finished
        /// A failure.
        case failed
      }

      /// The kind of the signal.
      public let kind: Kind
      /// The time at which it passed.
      public let time: ContinuousClock.Instant
    }

    /// The signals, the oldest first; at most 32.
    public let signals: [Signal]
    /// The number of signals before them.
    public let earlier: Int

    init(_ signals: [LinkState.DescribedSignal], earlier: Int) {
      self.signals = signals.map { signal in
        Signal(kind: signal.value.map { .value($0) } ?? (signal.isFailure ? .failed : .finished), time: signal.time)
      }
      self.earlier = earlier
    }
  }

  /// An error that says why a stream can't be made a test.
  public struct NotRecorded: Error, Hashable, CustomStringConvertible {
    /// A description of what is missing, and of what to do.
    public let description: String
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
    let milliseconds = Int(step / .milliseconds(1))
    require(
      milliseconds >= 1 && step == .milliseconds(milliseconds), of: "marbleTest(from:to:step:)",
      rule: "a step of whole milliseconds, at least one", given: step)
    let (inputs, outputs) = (try recording(of: input), try recording(of: output))
    let lines = RecordedLines(inputs: inputs, outputs: outputs, step: milliseconds)
    let lost = inputs.earlier + outputs.earlier
    return """
      @Test func `\(output), as recorded`() throws {
      \(lost == 0 ? "" : "  // \(lost) earlier signals are not in it.\n")\
        let diagram = try MarbleDiagram(
          \"""
          step      \(milliseconds)ms
          source    \(lines.source)
          expected  \(lines.expected)
          \""")
        try diagram.verify { bench in
          // Here goes what is between “\(input)” and “\(output)”, with bench.scheduler as its scheduler.
          bench.source()
        }
      }
      """
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

/// Two recordings as lines of a marble diagram.
private struct RecordedLines {
  let source: String
  let expected: String

  init(inputs: Inspector.Recording, outputs: Inspector.Recording, step: Int) {
    let times = (inputs.signals + outputs.signals).map(\.time)
    guard let start = times.min() else {
      (source, expected) = ("-", "-")
      return
    }
    func steps(_ duration: Duration) -> Int { Int((duration / .milliseconds(step)).rounded()) }
    let sent = inputs.signals.map { (step: steps(start.duration(to: $0.time)), signal: $0) }
    let received = outputs.signals.map { signal in
      guard let cause = sent.last(where: { $0.signal.time <= signal.time }) else {
        return (step: steps(start.duration(to: signal.time)), signal: signal)
      }
      return (step: cause.step + steps(cause.signal.time.duration(to: signal.time)), signal: signal)
    }
    source = Self.line(sent, step)
    expected = Self.line(received, step)
  }

  private static func line(_ events: [(step: Int, signal: Inspector.Recording.Signal)], _ length: Int) -> String {
    var line = ""
    var last: Int?
    var index = 0
    while index < events.count {
      let step = events[index].step
      let together = events[index...].prefix { $0.step <= step }
      let texts = together.map(\.signal.symbol).joined()
      if let last { line += "{\((step - last) * length)ms}" } else if step > 0 { line += "{\(step * length)ms}" }
      line += together.count == 1 ? texts : "[\(texts)]"
      last = step
      index += together.count
    }
    return line.isEmpty ? "-" : line
  }
}

extension Inspector.Recording.Signal {
  /// The symbol for the text in a diagram: a letter or a digit as it is, any other text in quotes.
  fileprivate var symbol: String {
    switch kind {
    case .finished: return "|"
    case .failed: return "#"
    case .value(let text):
      if text.count == 1, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) { return text }
      let printable = text.map { $0.isNewline || $0 == "'" || $0 == "\\" ? "�" : String($0) }.joined()
      return "'\(printable)'"
    }
  }
}
