// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  public import PenstockCore

  extension NATSConnection {
    /// Publishes a message to everybody who listens now.
    ///
    /// The method returns when the message is on its way: delivered *at most once*, to nobody if nobody listens, and
    /// lost if the connection breaks at that moment. Use `publishConfirmed` for messages that a stream keeps. While
    /// there is no connection, messages are kept, up to the options' ``NATSOptions/reconnectBufferSize``; beyond that,
    /// the method fails. If the client refuses a message after the call has returned, ``states`` reports that as
    /// ``NATSConnectionState/failed(_:)``.
    ///
    /// **Demand:** the method waits while a few megabytes have not been written; a message counts with its headers and
    /// 256 bytes.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - subject: The subject, without wildcards.
    ///   - reply: The subject on which an answer is expected.
    ///   - headers: The headers that are published with it.
    /// - Throws: A ``NATSError``: an invalid subject, a payload that is too large with its headers, no room for the
    ///   message while there is no connection, a closed connection.
    public func publish(
      _ payload: [UInt8], to subject: String, reply: String? = nil, headers: [String: String] = [:]
    ) async throws(NATSError) {
      try await publish(NATSMessage(payload, subject: subject, reply: reply, headers: headers))
    }

    /// Publishes a message with its reply and headers, such as one that has come from elsewhere; see
    /// ``publish(_:to:reply:headers:)-([UInt8],_,_,_)``.
    public func publish(_ message: NATSMessage) async throws(NATSError) {
      let message = try client.outgoing(
        message.payload, to: message.subject, reply: message.reply, headers: message.headerValues)
      try await client.publish(message)
    }

    /// Publishes a text; see ``publish(_:to:reply:headers:)-([UInt8],_,_,_)``.
    public func publish(
      _ text: String, to subject: String, reply: String? = nil, headers: [String: String] = [:]
    ) async throws(NATSError) {
      try await publish(Array(text.utf8), to: subject, reply: reply, headers: headers)
    }

    /// Waits until the server has received everything that was published before.
    ///
    /// - Parameter timeout: How long that may take; `nil` for the `requestTimeout` of the options.
    /// - Throws: A ``NATSError``: no answer in time, a closed connection, or the reason why a message published since
    ///   the last flush has not been sent.
    public func flush(timeout: Duration? = nil) async throws(NATSError) {
      let error = await client.writer.flush((timeout ?? client.options.requestTimeout).milliseconds)
      if let error = error ?? client.events.takeUnsent() { throw error }
    }

    /// Sends a request, and waits for the first answer.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - subject: The subject, without wildcards.
    ///   - headers: The headers that are sent with it.
    ///   - timeout: How long the answer may take; `nil` for the `requestTimeout` of the options.
    /// - Returns: The answer.
    /// - Throws: A ``NATSError``: nobody listens, no answer in time, the task is cancelled, or as for `publish`.
    public func request(
      _ payload: [UInt8], to subject: String, headers: [String: String] = [:], timeout: Duration? = nil
    ) async throws(NATSError) -> NATSMessage {
      let message = try client.outgoing(payload, to: subject, headers: [String: [String]](headers))
      return try await client.replies.request(message, timeout ?? client.options.requestTimeout)
    }

    /// Answers a request.
    ///
    /// ```swift
    /// let clock = connection.subscribe("time", queue: "clocks").mapAsync(maxTasks: .max(8)) { request in
    ///   try? await connection.reply(Array("\(ContinuousClock.now)".utf8), to: request)
    /// }
    /// .sink { _ in } receiveValue: { _ in }
    /// ```
    ///
    /// With a queue group, each request goes to one of those who answer.
    ///
    /// - Parameters:
    ///   - payload: The bytes of the answer.
    ///   - request: The request, as `subscribe` has delivered it.
    ///   - headers: The headers that are published with the answer.
    /// - Throws: A ``NATSError``, as for `publish`, or because the message asks for no answer.
    public func reply(
      _ payload: [UInt8], to request: NATSMessage, headers: [String: String] = [:]
    ) async throws(NATSError) {
      guard let place = request.reply else {
        throw NATSError(
          .invalidName, "The message to \(request.subject) asks for no answer: it has no reply. Nothing has been sent.")
      }
      try await publish(payload, to: place, headers: headers)
    }

    /// Answers a request with a text; see ``reply(_:to:headers:)-([UInt8],_,_)``.
    public func reply(
      _ text: String, to request: NATSMessage, headers: [String: String] = [:]
    ) async throws(NATSError) {
      try await reply(Array(text.utf8), to: request, headers: headers)
    }

    /// Sends a request at once, and returns a future of the first answer.
    ///
    /// **Demand:** none is needed to send it.
    ///
    /// **Completion:** `.finished` after the answer. If neither the future nor a subscription is held, the request is
    /// given up.
    ///
    /// **Failure:** as for `request(_:to:headers:timeout:)`.
    ///
    /// **Concurrency:** the answer is delivered in a task.
    public func response(
      _ payload: [UInt8], to subject: String, headers: [String: String] = [:], timeout: Duration? = nil
    ) -> Future<NATSMessage, NATSError> {
      Future { [self] () async throws(NATSError) in
        try await request(payload, to: subject, headers: headers, timeout: timeout)
      }
    }
  }
#endif
