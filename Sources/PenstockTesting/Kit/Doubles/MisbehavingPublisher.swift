// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher of some values that breaks one rule, in a named way, to test what a subscriber, an operator or a check
/// of yours does then.
///
/// ```swift
/// let upstream = MisbehavingPublisher([1, 2, 3], .overflows)
/// let recording = upstream.record(demand: .max(1), atEnd: [])
/// print(recording.brokenRules.count, recording.ledger)
/// // Prints "2 granted 1 (requested 1, returned 0), delivered 3"
/// ```
///
/// Without a misbehavior it keeps all rules.
///
/// **Demand:** delivers values as they are requested, on the thread that requests them, unless told otherwise.
///
/// **Completion:** with the last value, unless told otherwise.
///
/// **Failure:** in place of finishing, if one is given.
///
/// **Concurrency:** may be used on any thread if it keeps the rules.
public struct MisbehavingPublisher<Output, Failure: Error>: Publisher {
  private let plan: MisbehavingPlan<Output, Failure>

  /// Creates a publisher that cannot fail.
  public init(_ values: [Output], _ misbehavior: Misbehavior? = nil) where Failure == Never {
    plan = MisbehavingPlan(values, .finished, misbehavior)
  }

  /// Creates a publisher that ends with a completion.
  public init(_ values: [Output], completion: Subscribers.Completion<Failure>, _ misbehavior: Misbehavior? = nil) {
    plan = MisbehavingPlan(values, completion, misbehavior)
  }

  /// Delivers the values to a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    MisbehavingSubscription(plan, AnySubscriber(subscriber)).begin()
  }
}
