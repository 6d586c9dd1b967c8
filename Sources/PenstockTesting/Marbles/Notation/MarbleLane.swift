// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One line of a ``MarbleDiagram``: what happens at which step.
public struct MarbleLane: Sendable {
  /// An event and its step.
  public struct Mark: Sendable {
    /// The number of steps before it.
    public var step: Int

    /// What happens.
    public var event: MarbleEvent

    /// Where it is written; `nil` if it was not read from a text.
    internal var place: MarblePlace?

    /// Creates an event at a step.
    public init(step: Int, event: MarbleEvent) {
      self.step = step
      self.event = event
    }
  }

  /// The name in front of the line.
  public let name: String

  /// The events, in their order.
  public let marks: [Mark]

  /// The number of steps from the start to the end of the line.
  public let length: Int

  /// The meaning of the line.
  internal let role: MarbleRole

  /// Creates a line of events.
  ///
  /// - Parameters:
  ///   - name: The name in front of the line: `demand` and `expected` have a meaning, as ``MarbleDiagram`` describes.
  ///   - marks: The events, in their order.
  ///   - length: The number of steps; by default, up to the last event.
  public init(name: String, marks: [Mark], length: Int = 0) {
    self.name = name
    self.marks = marks
    self.length = max(length, (marks.last?.step ?? -1) + 1)
    role = MarbleRole(name)
  }

  /// The events of a step, in their order.
  internal func events(at step: Int) -> [MarbleEvent] { marks.filter { $0.step == step }.map(\.event) }

  /// Whether an event of a kind is in the lane.
  internal func has(_ event: MarbleEvent) -> Bool { marks.contains { $0.event == event } }

  /// Whether its events count from its subscriptions.
  internal var isCold: Bool { role == .source && has(.subscribed) }
}

extension MarbleLane: CustomStringConvertible {
  /// The name and the events, as they are written.
  public var description: String { MarbleLayout([self]).lines[0] }
}

/// The meaning of a lane, which its name determines.
internal enum MarbleRole: Hashable, Sendable {
  /// What a publisher sends.
  case source
  /// What is requested from a source.
  case requests(source: String)
  /// What a subscriber requests, and when it subscribes and cancels.
  case demand(subscriber: String)
  /// What a subscriber should receive.
  case expected(subscriber: String)

  init(_ name: String) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("demand", let subscriber): self = .demand(subscriber: subscriber ?? "")
    case ("expected", let subscriber): self = .expected(subscriber: subscriber ?? "")
    case (_?, let part?) where part.hasSuffix("demand"):
      self = .requests(source: String(name.dropLast(".demand".count)))
    default: self = .source
    }
  }
}

/// Where something is written: a line and a column, from 0.
internal struct MarblePlace: Hashable, Sendable {
  var line: Int
  var column: Int
}
