// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// How many deliveries a consumer has been asked for, and what has become of them.
  public struct NATSDeliveryCounts: Sendable, Hashable {
    /// How many messages the consumer has been asked for.
    public var asked = 0
    /// How many of these it still owes: the credit that it has.
    public var credit = 0
    /// How many have come.
    public var fetched = 0
    /// How many have come and are not settled.
    public var inFlight = 0
    /// How many have been acknowledged.
    public var acknowledged = 0
    /// How many have been given back, those that came after a cancel included.
    public var givenBack = 0
    /// How many have been terminated.
    public var terminated = 0
    /// How often it could not be said what has become of one: it comes again, after its deadline.
    public var refused = 0
    /// How much credit the consumer has handed back, since there was nothing to deliver in time.
    public var returnedCredit = 0
    /// How much credit counted as lost: with the connection, or since nothing was heard of the consumer.
    public var lostCredit = 0

    /// Makes counts of nothing.
    public init() {}
  }
#endif
