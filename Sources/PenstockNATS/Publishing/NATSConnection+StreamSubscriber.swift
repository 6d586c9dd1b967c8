// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockConcurrency

  extension NATSConnection {
    /// Returns a subscriber that publishes the values that it receives into a stream.
    ///
    /// ```swift
    /// let writer = connection.streamSubscriber(to: "readings.kitchen", failure: Never.self) { (degrees: Double) in
    ///   StreamMessage(Array("\(degrees)".utf8))
    /// }
    /// readings.subscribe(writer)
    /// try await writer.finished()
    /// print(writer.counts.confirmed)
    /// ```
    ///
    /// See `StreamSubscriber`. A message without an id gets one, so each is sent again with the
    /// same id, and the stream keeps it once within its `duplicateWindow`.
    ///
    /// **Traps:** less than one message in flight.
    ///
    /// - Parameters:
    ///   - subject: A subject of the stream.
    ///   - failure: The failure of the publisher, if the compiler does not know it yet.
    ///   - maxInFlight: The greatest number of messages that are on their way at a time. With 1 the stream keeps them
    ///     in their order.
    ///   - attempts: The greatest number of times that each message is sent.
    ///   - timeout: How long each answer may take; `nil` for the `requestTimeout` of the options.
    ///   - message: A closure that makes the message for a value.
    /// - Returns: A subscriber, for one publisher.
    public func streamSubscriber<Value, Failure: Error>(
      to subject: String, failure: Failure.Type = Failure.self, maxInFlight: Int = 256, attempts: Int = 3,
      timeout: Duration? = nil, message: @escaping @Sendable (_ value: Value) -> StreamMessage<[UInt8]>
    ) -> StreamSubscriber<Value, Failure, NATSError> {
      subscriber(maxInFlight, attempts, timeout, nil) { value in
        let message = message(value)
        return NATSPublication(message.payload, to: subject, id: message.id, headers: message.headers)
      }
    }

    /// Returns a subscriber that publishes the messages that it receives, each to its own subject, into streams.
    ///
    /// See ``streamSubscriber(to:failure:maxInFlight:attempts:timeout:message:)``.
    ///
    /// **Traps:** less than one message in flight.
    ///
    /// - Parameters:
    ///   - failure: The failure of the publisher, if the compiler does not know it yet.
    ///   - maxInFlight: The greatest number of messages that are on their way at a time.
    ///   - attempts: The greatest number of times that each message is sent.
    ///   - timeout: How long each answer may take; `nil` for the `requestTimeout` of the options.
    ///   - onConfirmation: A closure that is called, on some thread, for each message that a stream keeps.
    /// - Returns: A subscriber, for one publisher.
    public func streamSubscriber<Failure: Error>(
      failure: Failure.Type = Failure.self, maxInFlight: Int = 256, attempts: Int = 3, timeout: Duration? = nil,
      onConfirmation: (@Sendable (PublishConfirmation) -> Void)? = nil
    ) -> StreamSubscriber<NATSPublication, Failure, NATSError> {
      subscriber(maxInFlight, attempts, timeout, onConfirmation) { $0 }
    }

    private func subscriber<Value, Failure: Error>(
      _ maxInFlight: Int, _ attempts: Int, _ timeout: Duration?,
      _ onConfirmation: (@Sendable (PublishConfirmation) -> Void)?,
      _ publication: @escaping @Sendable (Value) -> NATSPublication
    ) -> StreamSubscriber<Value, Failure, NATSError> {
      let confirming = Confirming(client: client, attempts: attempts, timeout: timeout ?? client.options.requestTimeout)
      return StreamSubscriber(
        maxInFlight: maxInFlight, cancellation: NATSError(.cancelled, "The subscriber has been cancelled.")
      ) { value, confirm in
        confirming.publish(publication(value)) { result in
          if case .success(let confirmation) = result { onConfirmation?(confirmation) }
          confirm(result.map(\.isDuplicate))
        }
      }
    }
  }
#endif
