// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockConcurrency

  extension NATSConnection {
    /// Returns a publisher of the messages of a durable pull consumer, which pulls as many as are requested.
    ///
    /// ```swift
    /// try await connection.createStream(StreamConfiguration("ORDERS", subjects: ["orders.>"]))
    /// try await connection.createConsumer(ConsumerConfiguration("billing"), stream: "ORDERS")
    /// let billed = connection.deliveries(stream: "ORDERS", consumer: "billing")
    ///   .deadLetter(after: 5) { delivery in print("set aside:", delivery.text) }
    ///   .acknowledged(maxTasks: .max(8)) { delivery in try await bill(delivery.text) }
    /// ```
    ///
    /// Several subscribers, and several processes, share the messages of one consumer.
    ///
    /// **Demand:** the server is asked for the messages that are requested and have not come, up to a batch at a time;
    /// it sends no more. A request is topped up when half of its messages have come. With no demand the server is asked
    /// for nothing. With `refillAt` a batch is read ahead. `request(.none)` traps.
    ///
    /// **Completion:** `.finished` when the connection is drained. A cancel gives back the messages that have come and
    /// have not been delivered, and those that are still on their way, except any that the server sends at that very
    /// moment, which come again after their deadline; deliveries that have been made remain to be settled.
    ///
    /// **Failure:** a ``NATSError``: no such stream or consumer; a consumer that does not allow pulling, or not that
    /// many messages; a consumer that has been deleted; an outage that is longer than the options allow; a closed
    /// connection. A shorter outage shows in ``NATSConnection/states``, and messages that were on their way come again:
    /// the server decides what has been delivered.
    ///
    /// **Concurrency:** deliveries come in a task of the subscriber.
    ///
    /// **Traps:** a batch, a mark or options out of range.
    ///
    /// - Parameters:
    ///   - stream: The name of the stream.
    ///   - consumer: The name of the consumer.
    ///   - batch: The least and the greatest number of messages that are asked for at a time. With a lower bound above
    ///     one, messages that have not been requested wait here, and their deadlines run.
    ///   - lowMark: The number of messages that are left when a batch is read ahead; `nil` to read nothing ahead.
    ///   - options: The options of the requests to the consumer.
    /// - Returns: A publisher of deliveries, with counts of them.
    public func deliveries(
      stream: String, consumer: String, batch: ClosedRange<Int> = 1...64, refillAt lowMark: Int? = nil,
      options: NATSDeliveryOptions = NATSDeliveryOptions()
    ) -> NATSDeliveries {
      options.check()
      return NATSDeliveries(batch: batch, refillAt: lowMark) { [client] deliveries in
        PullOwner(Pull(client, stream: stream, .durable(consumer), options, deliveries))
      }
    }
  }

  /// A publisher of the messages of a durable pull consumer.
  public typealias NATSDeliveries = FetchedMessages<NATSDelivery, NATSError>
#endif
