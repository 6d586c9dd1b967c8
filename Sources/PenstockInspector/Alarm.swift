// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector {
  /// A condition of a stream that deserves attention.
  public struct Alarm: Sendable, Hashable {
    /// The condition that an alarm reports.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A buffer is nearly full.
      case nearlyFull
      /// A stream feeds a subject that has no subscribers.
      case withoutSubscribers
      /// Nothing has passed for a long time, though values are asked for; known for links that keep their signals.
      case silent
      /// A link holds the stream up.
      case heldUp
    }

    /// The condition.
    public let kind: Kind
    /// The link's number.
    public let link: UInt64
    /// A sentence that describes the condition.
    public let explanation: String
  }

  /// The limits from which on a condition is an alarm.
  public struct AlarmLimits: Sendable, Hashable {
    /// The fraction to which a buffer may be full, from 0 to 1.
    public var fullness: Double
    /// How long a stream may be silent though values are asked for.
    public var silence: Duration

    /// - Parameters:
    ///   - fullness: The fraction to which a buffer may be full, from 0 to 1.
    ///   - silence: How long a stream may be silent though values are asked for.
    public init(fullness: Double = 0.9, silence: Duration = .seconds(60)) {
      require((0...1).contains(fullness), of: "AlarmLimits", rule: "a fullness from 0 to 1", given: fullness)
      require(silence >= .zero, of: "AlarmLimits", rule: "a silence that is not negative", given: silence)
      self.fullness = fullness
      self.silence = silence
    }
  }
}

extension Inspector.Snapshot {
  /// Returns the conditions that deserve attention, each once, even if a link is part of several streams.
  ///
  /// - Parameter limits: The limits from which on a condition is an alarm.
  /// - Returns: The alarms, in the order of the streams.
  public func alarms(_ limits: Inspector.AlarmLimits = .init()) -> [Inspector.Alarm] {
    var seen = Set<Inspector.Alarm>()
    return streams.flatMap { $0.alarms(limits) }.filter { seen.insert($0).inserted }
  }
}

extension Inspector.Stream {
  fileprivate func alarms(_ limits: Inspector.AlarmLimits) -> [Inspector.Alarm] {
    var alarms: [Inspector.Alarm] = []
    if let culprit { alarms.append(.init(kind: .heldUp, link: culprit.link, explanation: culprit.explanation)) }
    if end.isFeed {
      alarms.append(
        .init(
          kind: .withoutSubscribers, link: end.id,
          explanation: "“\(title)” runs, and nobody subscribes to what it feeds"))
    }
    for link in links {
      if let waiting = link.waiting, let capacity = link.capacity, capacity > 0,
        Double(waiting) >= limits.fullness * Double(capacity)
      {
        alarms.append(
          .init(kind: .nearlyFull, link: link.id, explanation: "\(link.name) keeps \(waiting) of \(capacity) values"))
      }
      if link.isAsked == true, let age = link.counts?.age, age >= limits.silence {
        alarms.append(
          .init(kind: .silent, link: link.id, explanation: "\(link.name) is asked, and silent for \(age.text)"))
      }
    }
    return alarms
  }
}
