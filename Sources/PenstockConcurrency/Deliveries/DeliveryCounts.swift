// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How many values a ``DeliveryQueue`` has, and what has become of the others.
public struct DeliveryCounts: Sendable, Hashable {
  /// Those that wait for a subscriber, or until their delay is over.
  public var waiting: Int
  /// Those that have been delivered, and are not settled.
  public var unsettled: Int
  /// Those that have been published.
  public var published: Int
  /// Those that have been acknowledged.
  public var acknowledged: Int
  /// Those that have been terminated.
  public var terminated: Int
  /// How often a value has been delivered again.
  public var redelivered: Int
  /// How often a deadline has passed.
  public var expired: Int

  /// Makes counts, to compare with.
  public init(
    waiting: Int = 0, unsettled: Int = 0, published: Int = 0, acknowledged: Int = 0, terminated: Int = 0,
    redelivered: Int = 0, expired: Int = 0
  ) {
    self.waiting = waiting
    self.unsettled = unsettled
    self.published = published
    self.acknowledged = acknowledged
    self.terminated = terminated
    self.redelivered = redelivered
    self.expired = expired
  }
}
