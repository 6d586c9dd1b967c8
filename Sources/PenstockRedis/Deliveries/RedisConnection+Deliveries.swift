// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  public import PenstockConcurrency
  internal import PenstockCore

  extension RedisConnection {
    /// Returns a publisher of the entries of a stream, which reads them as a consumer of a group.
    ///
    /// ```swift
    /// let orders = redis.deliveries(stream: "orders", group: "workers", consumer: "w1", deadline: .seconds(30))
    /// let served = orders
    ///   .deadLetter(after: 5, to: "orders.dead", of: redis)
    ///   .acknowledged(maxTasks: .max(4)) { delivery in try await serve(delivery.payload) }
    /// for try await result in served.values { print(result) }
    /// ```
    ///
    /// Entries that are due again come first: those that were given back, and those that have been with a consumer for
    /// longer than the deadline, whether that consumer lives or has died. Then come new entries. While there are none,
    /// the publisher looks for entries that are due four times per deadline, at least once a second, so that they come
    /// at most that much later.
    ///
    /// **Demand:** as many entries as are requested are read from the server, by `COUNT`, and no more, unless
    /// `refillAt` reads ahead or `batch` has a lower bound above one. The deadlines of entries that wait for demand
    /// then run.
    ///
    /// **Completion:** `.finished` when the connection is drained. A cancel ends the waiting read at once; entries that
    /// come nevertheless are given back, and count as not tried.
    ///
    /// **Failure:** a ``RedisError``: the group or the stream does not exist or has been deleted; an outage that is
    /// longer than the options allow; a closed connection. A shorter outage is no failure.
    ///
    /// **Concurrency:** each subscriber has a connection and a thread of its own. Values are delivered in a task of the
    /// subscriber.
    ///
    /// **Traps:** an empty name, a deadline or a `failsAfter` below a millisecond, and everything at which
    /// `Publishers.fetching(batch:refillAt:maxCalls:priority:onDrop:_:)` traps.
    ///
    /// All consumers of a group should have the same deadline, since each looks for entries that are due by its own
    /// deadline.
    ///
    /// - Parameters:
    ///   - stream: The key of the stream.
    ///   - group: The name of the group, made by ``makeGroup(stream:group:from:)``.
    ///   - consumer: The name of this consumer. Several may have the same name; then the server can't distinguish them.
    ///   - deadline: The time until a delivery has to be settled or extended.
    ///   - batch: The least and the greatest number of entries that are read at a time.
    ///   - lowMark: The number of entries that are left when a batch is read ahead; `nil` to read nothing ahead.
    ///   - options: What the stream tolerates.
    /// - Returns: A publisher of deliveries, which several subscribers share, with counts of them.
    public func deliveries(
      stream: String, group: String, consumer: String, deadline: Duration = .seconds(30),
      batch: ClosedRange<Int> = 1...64, refillAt lowMark: Int? = nil,
      options: RedisDeliveryOptions = RedisDeliveryOptions()
    ) -> RedisDeliveries {
      for (label, name) in [("stream", stream), ("group", group), ("consumer", consumer)] {
        require(!name.isEmpty, of: "deliveries(\(label):)", rule: "a name that is not empty", given: "an empty one")
      }
      require(
        deadline >= .milliseconds(1), of: "deliveries(deadline:)", rule: "a deadline of at least 1 ms", given: deadline)
      if let limit = options.failsAfter {
        require(
          limit >= .milliseconds(1), of: "RedisDeliveryOptions.failsAfter", rule: "a millisecond or more", given: limit)
      }
      let source = RedisSource(
        connection: self, stream: stream, group: group, consumer: consumer, deadline: deadline, options: options)
      return RedisDeliveries(batch: batch, refillAt: lowMark) { RedisReader(source, $0) }
    }
  }

  /// A publisher of the entries of a stream's group.
  public typealias RedisDeliveries = FetchedMessages<RedisDelivery, RedisError>

  /// The options of a publisher of deliveries: what it tolerates.
  public struct RedisDeliveryOptions: Sendable, Hashable {
    /// How long an outage may last before the stream fails, with ``RedisError/Reason-swift.enum/outage``; `nil` for no
    /// limit.
    ///
    /// An outage counts while there is demand.
    public var failsAfter: Duration? = .seconds(60)

    /// Creates options with the defaults above.
    public init() {}
  }
#endif
