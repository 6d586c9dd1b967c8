// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The number of deliveries that a consumer has been asked for, and what has happened to them.
  public struct NATSDeliveryCounts: Sendable, Hashable {
    /// The number of messages that the consumer has been asked for.
    public var asked = 0
    /// The number of these that it still owes: the credit that it has.
    public var credit = 0
    /// The number of messages that have come.
    public var fetched = 0
    /// The number of deliveries that have come and are not settled.
    public var inFlight = 0
    /// The number of deliveries that have been acknowledged.
    public var acknowledged = 0
    /// The number of deliveries that have been given back, including those that came after a cancel.
    public var givenBack = 0
    /// The number of deliveries that have been terminated.
    public var terminated = 0
    /// The number of deliveries whose settlement could not be sent: they come again, after their deadline.
    public var refused = 0
    /// The credit that the consumer has handed back, since there was nothing to deliver in time.
    public var returnedCredit = 0
    /// The credit that counted as lost: with the connection, or because the consumer was silent.
    public var lostCredit = 0

    /// Creates counts that are all zero.
    public init() {}
  }
#endif
