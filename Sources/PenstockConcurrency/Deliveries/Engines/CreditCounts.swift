// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher of deliveries that counts what its source has been asked for, and what has happened to the deliveries.
///
/// The publishers of a ``DeliveryQueue`` and of the adapters to brokers have the same counts, so one report serves all.
///
/// ```swift
/// let queue = DeliveryQueue<String>(capacity: 10)
/// try await queue.publish("a letter")
/// let deliveries = queue.deliveries()
/// for await delivery in deliveries.prefix(1).values { try await delivery.ack() }
/// print(deliveries.counts.fetched, deliveries.counts.acknowledged, deliveries.counts.inFlight)
/// // Prints "1 1 0"
/// ```
///
/// **Demand:** the source is asked for as many deliveries as have been requested, and for no more.
///
/// **Completion:** when the source has been drained or finished, after the deliveries that are there.
///
/// **Failure:** the source's; an outage is one only after its limit, `failsAfter`, where the source has one.
///
/// **Concurrency:** the counts may be read on any thread.
public protocol DeliveryPublisher: Publisher, Sendable where Output: Delivery {
  /// The counts of all subscribers of this publisher together.
  var counts: CreditCounts { get }
}

/// The number of deliveries that a source has been asked for, and what has happened to them.
///
/// While nothing is on its way, `asked` is the sum of `fetched`, `credit`, `returnedCredit` and `lostCredit`.
public struct CreditCounts: Sendable, Hashable {
  /// The number of deliveries that the source has been asked for.
  public var asked = 0
  /// The number of these that it still owes: the credit that it has.
  public var credit = 0
  /// The number of deliveries that have come.
  public var fetched = 0
  /// The number of deliveries that have come and are not settled.
  public var inFlight = 0
  /// The number of deliveries that have been acknowledged.
  public var acknowledged = 0
  /// The number of deliveries that have been given back, including those that came after a cancel.
  public var givenBack = 0
  /// The number of deliveries that have been terminated.
  public var terminated = 0
  /// The number of settlements that have been refused or could not be sent: the delivery comes again, after its
  /// deadline.
  public var refused = 0
  /// The credit that has been handed back: the source had nothing to deliver in time, or the subscriber has cancelled.
  public var returnedCredit = 0
  /// The credit that counted as lost: with the connection, or because the source was silent.
  public var lostCredit = 0

  /// Creates counts that are all zero.
  public init() {}
}
