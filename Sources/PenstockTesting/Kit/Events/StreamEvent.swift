// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One call between a publisher and its subscriber, with the demand as it stood after the call.
public struct StreamEvent: Sendable, CustomStringConvertible {
  /// The method that was called.
  public enum Kind: Hashable, Sendable {
    /// `receive(subscription:)`, with the subscription's description.
    case subscription(String)
    /// `receive(_:)`, with the value's description.
    case value(String)
    /// `receive(completion:)` with `.finished`.
    case finished
    /// `receive(completion:)` with a failure, by its description.
    case failed(String)
    /// `request(_:)`.
    case requested(Subscribers.Demand)
    /// The demand that `receive(_:)` returned, where it is not `.none`.
    case returned(Subscribers.Demand)
    /// `cancel()`.
    case cancelled
  }

  /// The call.
  public let kind: Kind

  /// The thread of the call, by the order in which threads appear: 0 is the first.
  public let thread: Int

  /// The calls of the subscriber that were running on the thread, outermost first.
  public let inside: [Kind]

  /// All that had been granted, by both roads.
  public let granted: Subscribers.Demand

  /// The number of values delivered.
  public let delivered: Int

  /// The number of values that were being delivered on the thread, this one included.
  public var depth: Int {
    func isValue(_ kind: Kind) -> Bool { if case .value = kind { true } else { false } }
    return inside.count(where: isValue) + (isValue(kind) ? 1 : 0)
  }

  /// The call in words, with an arrow in its direction.
  public var description: String {
    switch kind {
    case .subscription(let text): "→ subscription \(text)"
    case .value(let text): "→ value \(text)"
    case .finished: "→ finished"
    case .failed(let text): "→ failure \(text)"
    case .requested(let demand): "← request(\(demand.words))"
    case .returned(let demand): "← returns \(demand.words)"
    case .cancelled: "← cancel()"
    }
  }

  /// Whether the call came from the publisher.
  public var isSignal: Bool {
    switch kind {
    case .subscription, .value, .finished, .failed: true
    case .requested, .returned, .cancelled: false
    }
  }
}

extension Subscribers.Demand {
  /// The demand as it is written in tables.
  var words: String { max.map(String.init) ?? "unlimited" }
}
