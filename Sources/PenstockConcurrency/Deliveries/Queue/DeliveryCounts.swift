// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How many values a ``DeliveryQueue`` holds, and what has happened to the others.
public struct DeliveryCounts: Sendable, Hashable {
  /// Values that wait for a subscriber, or until their delay has passed.
  public var waiting: Int
  /// Values that have been delivered, and are not settled.
  public var unsettled: Int
  /// Values that have been published.
  public var published: Int
  /// Values that have been acknowledged.
  public var acknowledged: Int
  /// Values that have been terminated.
  public var terminated: Int
  /// How often a value has been delivered again.
  public var redelivered: Int
  /// How often a deadline has passed.
  public var expired: Int

  /// Creates counts, for comparisons.
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
