// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  public import PenstockCore

  extension NATSConnection {
    /// Returns a publisher of the messages of a subject, as they come.
    ///
    /// ```swift
    /// let kitchen = connection.subscribe("temperature.*", buffering: .dropOldest(10))
    ///   .compactMap { Double($0.text) }
    ///   .sink { _ in } receiveValue: { print($0) }
    /// ```
    ///
    /// Each subscriber subscribes at the server. Messages that were published before, or while the connection is lost,
    /// do not come: use a stream and ``deliveries(stream:consumer:batch:refillAt:options:)`` for messages that must.
    ///
    /// **Demand:** the server does not know the demand. Unrequested messages wait, up to a number of messages and up to
    /// `maxBytes`; beyond that, `buffering` decides. One message may wait, however large it is.
    /// ``NATSMessages/dropped`` counts the dropped messages, and ``NATSConnection/states`` reports the first one, and
    /// then each time the number has doubled. `request(.none)` traps.
    ///
    /// **Completion:** `.finished` when the connection is drained, after the messages that have come. A cancel
    /// unsubscribes.
    ///
    /// **Failure:** a ``NATSError``: an invalid subject, no permission, too slow with `.fail`, a closed connection.
    ///
    /// **Concurrency:** messages are delivered on a queue of the subscription. A subscriber that takes long there
    /// delays no others.
    ///
    /// **Traps:** a buffer for less than one message, or less than one byte.
    ///
    /// - Parameters:
    ///   - pattern: The subject; `*` stands for one part, `>` at the end for all others.
    ///   - group: A name of a group: each message goes to one of the subscribers with the same name.
    ///   - buffering: The policy for messages that are not requested.
    ///   - maxBytes: The greatest number of bytes of payloads that may wait.
    /// - Returns: A publisher of messages.
    public func subscribe(
      _ pattern: String, queue group: String? = nil, buffering: NATSBuffering = .fail(10_000),
      maxBytes: Int = 64 << 20
    ) -> NATSMessages {
      require(
        buffering.limit >= 1, of: "subscribe(buffering:)", rule: "room for one message or more", given: buffering.limit)
      require(maxBytes >= 1, of: "subscribe(maxBytes:)", rule: "room for one byte or more", given: maxBytes)
      return NATSMessages(client, pattern: pattern, group: group, buffering: buffering, maxBytes: maxBytes)
    }
  }

  /// A publisher of the messages of a subject.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``NATSConnection/subscribe(_:queue:buffering:maxBytes:)``, which makes it.
  public struct NATSMessages: Publisher, Sendable {
    public typealias Output = NATSMessage
    public typealias Failure = NATSError

    private let client: NATSClient
    private let pattern: String
    private let group: String?
    private let buffering: NATSBuffering
    private let maxBytes: Int
    private let drops = Tally()

    internal init(_ client: NATSClient, pattern: String, group: String?, buffering: NATSBuffering, maxBytes: Int) {
      self.maxBytes = maxBytes
      self.client = client
      self.pattern = pattern
      self.group = group
      self.buffering = buffering
    }

    /// The number of messages that have been dropped, for all subscribers of this publisher together.
    public var dropped: Int { drops.count }

    @_alwaysEmitIntoClient
    public func receive<S: Subscriber>(subscriber: S) where S.Input == NATSMessage, S.Failure == NATSError {
      attach(AnySubscriber(subscriber))
    }

    /// Not generic: a subscriber's type is erased where it is known.
    @usableFromInline
    internal func attach(_ subscriber: AnySubscriber<NATSMessage, NATSError>) {
      let feed = SubjectFeed(client, pattern, group)
      let limit = buffering.limit
      let overflow: PushSource<NATSMessage, NATSError>.Overflow =
        switch buffering {
        case .dropOldest: .dropOldest(limit)
        case .dropNewest: .dropNewest(limit)
        case .fail:
          .fail(
            limit,
            NATSError(
              .overflow,
              """
              More than \(limit) messages of \(pattern) have waited, or more than \(maxBytes) bytes: request faster, or let \
              some be dropped.
              """
            ))
        }
      let messages = PushSource(
        from: feed, overflow, maxWeight: maxBytes, weigh: { $0.payload.count },
        onDrop: { [client, pattern, drops] in
          let count = drops.add(1)
          if count & (count - 1) == 0 { client.events.send(.slowConsumer(subject: pattern, dropped: count)) }
        }, schedule: NATSClient.schedule())
      messages.introduce(subscriber.erased(), name: "Subscribe")
      feed.start(messages)
    }
  }
#endif
