// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How often a check has reached each of the events that rules can be about.
///
/// A rule has held only if its check has reached what the rule is about; see ``Rule/needs``.
struct Tally: Sendable, Equatable {
  enum Event: String, Sendable, CaseIterable {
    case subscriptions, values, completions, failures
    case requests
    case requestsInSubscription = "requests inside the subscription"
    case requestsInValues = "requests inside values"
    case requestsInCompletions = "requests inside completions"
    case requestsAfterEnd = "requests after the end"
    case cancels
    case cancelsInSubscription = "cancels inside the subscription"
    case cancelsInValues = "cancels inside values"
    case cancelsInCompletions = "cancels inside completions"
    case cancelsAfterEnd = "cancels after the end"
    /// Calls of one thread, made while another was held inside a callback.
    case heldCalls = "calls of another thread while a callback was held"
    /// Values that an upstream of the kit has delivered to an operator or a subscriber.
    case fed = "values from upstream"
    case upstreamEnds = "completions from upstream"
    case innerStreams = "inner streams"
    /// Subscribers, subscriptions and values that a check has seen being freed.
    case freed = "objects freed"
  }

  private var counts: [Event: Int] = [:]

  subscript(_ event: Event) -> Int { counts[event] ?? 0 }

  mutating func count(_ event: Event, _ number: Int = 1) { counts[event, default: 0] += number }

  /// What was reached, in words: `subscriptions: 5, values: 12, cancels inside values: 3`.
  var words: String {
    Event.allCases.filter { self[$0] > 0 }.map { "\($0.rawValue): \(self[$0])" }.joined(separator: ", ")
  }
}
