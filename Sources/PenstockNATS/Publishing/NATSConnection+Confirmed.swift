// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  extension NATSConnection {
    /// Publishes a message into a stream, and waits until the stream has it.
    ///
    /// ```swift
    /// let kept = try await connection.publishConfirmed(Array("tea".utf8), to: "orders.drinks", id: "order-7")
    /// print(kept.stream, kept.sequence, kept.isDuplicate)
    /// ```
    ///
    /// Without an answer it sends the message again, with the same id, so that a stream keeps it once within its
    /// `duplicateWindow`. After an error the message may or may not have been kept, unless the reason says that it was
    /// refused.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - subject: A subject of the stream.
    ///   - id: A name for the message; `nil` to generate one.
    ///   - expectedLastSequence: The expected number of the last message of the stream; with another one, the message
    ///     is refused.
    ///   - headers: The headers that are published with it.
    ///   - attempts: The greatest number of times that it is sent.
    ///   - timeout: How long each answer may take; `nil` for the `requestTimeout` of the options.
    /// - Returns: The confirmation, with the place at which the stream keeps the message.
    /// - Throws: A ``NATSError``: no stream has the subject, another last message, storage used up, no answer, and
    ///   others.
    @discardableResult
    public func publishConfirmed(
      _ payload: [UInt8], to subject: String, id: String? = nil, expectedLastSequence: UInt64? = nil,
      headers: [String: String] = [:], attempts: Int = 3, timeout: Duration? = nil
    ) async throws(NATSError) -> PublishConfirmation {
      var publication = NATSPublication(payload, to: subject, id: id, headers: headers)
      publication.expectedLastSequence = expectedLastSequence
      return try await publishConfirmed(publication, attempts: attempts, timeout: timeout)
    }

    /// Publishes a message into a stream, and waits until the stream has it.
    ///
    /// See ``publishConfirmed(_:to:id:expectedLastSequence:headers:attempts:timeout:)``.
    ///
    /// - Parameters:
    ///   - publication: The message.
    ///   - attempts: The greatest number of times that it is sent.
    ///   - timeout: How long each answer may take; `nil` for the `requestTimeout` of the options.
    /// - Returns: The confirmation, with the place at which the stream keeps the message.
    @discardableResult
    public func publishConfirmed(
      _ publication: NATSPublication, attempts: Int = 3, timeout: Duration? = nil
    ) async throws(NATSError) -> PublishConfirmation {
      try await Confirming(client: client, attempts: attempts, timeout: timeout ?? client.options.requestTimeout)
        .publish(publication)
    }
  }
#endif
