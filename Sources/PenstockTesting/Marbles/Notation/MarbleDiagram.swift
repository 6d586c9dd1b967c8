// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A picture of streams in time, written as text.
///
/// A line is a stream, and a character is a step in time. Such a text is a test of an operator:
///
/// ```swift
/// let diagram = try MarbleDiagram(
///   """
///   source    a-b-c-d-|
///   demand    2-----*--
///   expected  a-b---[cd]-|
///   """)
/// try diagram.verify { $0.source().buffer(size: 9, prefetch: .keepFull, whenFull: .dropOldest) }
/// print(diagram)
/// // Prints:
/// // source    a-b-c-d   -|
/// // demand    2-----*   --
/// // expected  a-b---[cd]-|
/// ```
///
/// | in a line | |
/// |---|---|
/// | `a` | a value: a character, or a text in single quotes, such as `'10'`; `''` is the empty text |
/// | `-` | a step at which nothing happens |
/// | `[ab]` | several events at one step, in their order |
/// | `\|` | the stream finishes |
/// | `#`, `#'offline'` | the stream fails; the name of the failure is in quotes |
/// | `^` | a subscription begins |
/// | `!` | a subscription is cancelled |
/// | `2`, `'12'`, `*` | in a line of demand: that many values are requested, or all of them |
/// | `{250ms}`, `{12}` | the next event comes that long after the one before, or that many steps |
/// | a space | nothing; lines can be aligned with it |
///
/// The name in front of a line says what it is:
///
/// | name | the line is |
/// |---|---|
/// | `expected` | what the subscriber should receive. Without demand, it requests everything |
/// | `demand` | when the subscriber requests what, subscribes (`^`, else at the start) and cancels (`!`) |
/// | `expected.late`, `demand.late` | the same for one more subscriber, called `late` |
/// | any other, such as `source` | what a publisher sends, at these steps |
/// | `source.demand` | what should be requested of that publisher |
///
/// A publisher without `^` sends whether or not anybody listens, as a subject does, and drops values that are not
/// requested. A publisher with `^` begins when it is subscribed to, as a sequence does, and its values wait for demand:
/// the line shows when each subscription should begin, and what it gets. `!` in either shows when it should be
/// cancelled.
///
/// A line `step 10ms` gives the length of a step; it is a second otherwise. A line that begins with `>` has the text for the
/// box in a picture, and `//` begins a comment.
public struct MarbleDiagram: Sendable {
  /// The lines, in their order.
  public let lanes: [MarbleLane]

  /// The length of a step.
  public let step: Duration

  /// The text in the box between the sources and the results of a picture; empty for none.
  public let label: String

  /// The text that it was read from, in lines; empty if it was not read from a text.
  internal let text: [[Character]]

  /// Reads a diagram.
  ///
  /// - Throws: An error that shows the place of a mistake in the text, and what is allowed there.
  public init(_ text: String) throws(MarbleSyntaxError) {
    var parser = MarbleParser(text)
    self = try parser.parse()
  }

  /// Creates a diagram of lines.
  public init(lanes: [MarbleLane], step: Duration = .seconds(1), label: String = "") {
    self.init(lanes: lanes, step: step, label: label, text: [])
  }

  internal init(lanes: [MarbleLane], step: Duration, label: String, text: [[Character]]) {
    self.lanes = lanes
    self.step = step
    self.label = label
    self.text = text
  }

  /// The line with a name.
  public subscript(name: String) -> MarbleLane? { lanes.first { $0.name == name } }

  /// The number of steps of the longest line.
  public var length: Int { lanes.map(\.length).max() ?? 0 }

  internal func lane(_ role: MarbleRole) -> MarbleLane? { lanes.first { $0.role == role } }
}

extension MarbleDiagram: CustomStringConvertible {
  /// The lines with their steps below each other; reading them gives the same diagram.
  public var description: String {
    let lines = MarbleLayout(lanes).lines
    let firstResult = lanes.firstIndex { if case .source = $0.role { false } else { !$0.isOfSource } } ?? lanes.count
    var all = step == .seconds(1) ? [] : ["step \(MarbleDuration.text(step))"]
    all += lines[..<firstResult]
    if !label.isEmpty { all += label.split(separator: "\n").map { "> \($0)" } }
    all += lines[firstResult...]
    return all.joined(separator: "\n")
  }

  /// The diagram as a literal of Swift, to paste into a test.
  public var swiftLiteral: String {
    let text = description
    let pounds = text.contains("\\") || text.contains("\"\"\"") ? "#" : ""
    return "\(pounds)\"\"\"\n\(text)\n\"\"\"\(pounds)"
  }
}

extension MarbleLane {
  /// Whether it shows what a source sends or what is requested from a source.
  internal var isOfSource: Bool {
    switch role {
    case .source, .requests: true
    case .demand, .expected: false
    }
  }
}
