// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  public import PenstockCore

  extension NATSConnection {
    /// Returns a publisher of the messages that a stream keeps, in their order, and then of those that come.
    ///
    /// ```swift
    /// for try await order in connection.messages(of: "ORDERS", matching: "orders.paid", from: .sequence(7)).values {
    ///   print(order.sequence, order.text)
    ///   if order.pending == 0 { break }
    /// }
    /// ```
    ///
    /// Nothing has to be acknowledged, and each subscriber gets all messages: for reading, and not for sharing work. Each
    /// message comes once and in its order, whatever happens to the connection: the publisher makes a consumer for
    /// itself, and when a message is missing, or the server has lost the consumer, makes another one that begins after
    /// the last message that has come. If the stream has been deleted and made again, all its messages come.
    ///
    /// **Demand:** the server is asked for the messages that are requested and have not come, up to a batch at a time;
    /// it sends no more. `request(.none)` traps.
    ///
    /// **Completion:** `.finished` when the connection is drained. A cancel removes the consumer.
    ///
    /// **Failure:** a ``NATSError``: no such stream, or one that has been deleted; an invalid subject; an outage that is
    /// longer than the options allow; a closed connection.
    ///
    /// **Concurrency:** messages come in a task of the subscriber.
    ///
    /// **Traps:** a batch, a mark or options out of range.
    ///
    /// - Parameters:
    ///   - stream: The name of the stream.
    ///   - filter: The subject of the messages, with wildcards; `nil` for all of the stream.
    ///   - beginning: The message with which it begins, such as one with a number, or the first one since a date.
    ///   - batch: The least and the greatest number of messages that are asked for at a time.
    ///   - lowMark: The number of messages that are left when a batch is read ahead; `nil` to read nothing ahead.
    ///   - options: The options of the requests to the consumer.
    /// - Returns: A publisher of messages.
    public func messages(
      of stream: String, matching filter: String? = nil, from beginning: ConsumerConfiguration.DeliverPolicy = .all,
      batch: ClosedRange<Int> = 1...64, refillAt lowMark: Int? = nil,
      options: NATSDeliveryOptions = NATSDeliveryOptions()
    ) -> NATSOrderedMessages {
      options.check()
      let place = OrderedPlace(filter: filter, beginning: beginning)
      return NATSOrderedMessages(
        deliveries: NATSDeliveries("messages", batch: batch, refillAt: lowMark) { [client] deliveries in
          PullOwner(Pull(client, stream: stream, .ordered(place), options, deliveries))
        })
    }
  }

  /// A publisher of the messages of a stream, in their order.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``NATSConnection/messages(of:matching:from:batch:refillAt:options:)``, which makes it.
  public struct NATSOrderedMessages: Publisher, Sendable {
    public typealias Output = NATSStreamMessage
    public typealias Failure = NATSError

    fileprivate let deliveries: NATSDeliveries

    @_alwaysEmitIntoClient
    public func receive<S: Subscriber>(subscriber: S) where S.Input == NATSStreamMessage, S.Failure == NATSError {
      attach(AnySubscriber(subscriber))
    }

    /// Not generic: a subscriber's type is erased where it is known.
    @usableFromInline
    internal func attach(_ subscriber: AnySubscriber<NATSStreamMessage, NATSError>) {
      deliveries.map { delivery in
        // Nothing has to be acknowledged.
        var message = delivery.message
        message.reply = nil
        return NATSStreamMessage(
          stream: delivery.stream, sequence: delivery.sequence, pending: delivery.pending, message: message)
      }
      .receive(subscriber: subscriber)
    }
  }
#endif
