// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  extension NATSConnection {
    /// Creates a durable consumer; an existing one with the same configuration is left as it is.
    ///
    /// Settings that the configuration leaves to the server are not compared.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the consumer.
    ///   - stream: The stream.
    /// - Returns: The state of the consumer.
    /// - Throws: A ``NATSError``: no such stream, a name in use by a consumer of another configuration, an invalid name, no
    ///   answer.
    @discardableResult
    public func createConsumer(
      _ configuration: ConsumerConfiguration, stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      if let filter = configuration.filterSubject { try Names.check(pattern: filter) }
      let name = configuration.durableName
      let known: ConsumerInfo
      do throws(NATSError) {
        known = try await client.consumerInfo(name, stream)
      } catch  where error.reason == .consumerNotFound {
        return try await put(configuration, stream)
      }
      if known.configuration.isWanted(as: configuration) { return known }
      throw NATSError(
        .nameInUse,
        """
        The consumer \(name) of \(stream) is there, with another configuration: change it with \
        updateConsumer(_:stream:), or choose another name.
        """)
    }

    /// Creates a consumer without a name of its own, which ends when nobody has asked it for anything for some time.
    ///
    /// ```swift
    /// var configuration = ConsumerConfiguration("", filterSubject: "orders.paid")
    /// configuration.deliverPolicy = .new
    /// let info = try await connection.createEphemeralConsumer(configuration, stream: "ORDERS")
    /// let paid = connection.deliveries(stream: "ORDERS", consumer: info.name)
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the consumer; its `durableName` is ignored. Its `inactiveThreshold` is the
    ///     time; `nil` for the server's default of five seconds.
    ///   - stream: The stream.
    /// - Returns: The state of the consumer, with the name that the server has given it.
    /// - Throws: A ``NATSError``: no such stream, a setting that can't be used, no answer.
    public func createEphemeralConsumer(
      _ configuration: ConsumerConfiguration, stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      var configuration = configuration
      configuration.durableName = ""
      return try await client.makeEphemeral(configuration, stream)
    }

    /// Returns the consumers of a stream.
    ///
    /// - Parameter stream: The stream.
    /// - Returns: The states of all consumers, ephemeral ones included.
    /// - Throws: A ``NATSError``: no such stream, no answer.
    public func consumers(of stream: String) async throws(NATSError) -> [ConsumerInfo] {
      try Names.check(name: stream, of: "stream")
      return try await client.list("CONSUMER.LIST.\(stream)", "Can't list the consumers of \(stream)") {
        (page: ConsumerPage) in page.consumers ?? []
      }
    }

    private struct ConsumerPage: Decodable { let consumers: [ConsumerInfo?]? }

    /// Changes a durable consumer, as far as the server allows.
    ///
    /// - Parameters:
    ///   - configuration: The new configuration: best the one that ``consumerInfo(_:stream:)`` returns, with the
    ///     changes.
    ///   - stream: The stream.
    /// - Returns: The state of the consumer.
    /// - Throws: A ``NATSError``: no such stream or consumer, a setting that can't be changed, no answer.
    @discardableResult
    public func updateConsumer(
      _ configuration: ConsumerConfiguration, stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      _ = try await client.consumerInfo(configuration.durableName, stream)
      return try await put(configuration, stream)
    }

    private func put(
      _ configuration: ConsumerConfiguration, _ stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      try await client.put("DURABLE.CREATE", configuration, stream, consumer: configuration.durableName)
    }

    /// Returns the state of a consumer, and its configuration.
    public func consumerInfo(_ name: String, stream: String) async throws(NATSError) -> ConsumerInfo {
      try await client.consumerInfo(name, stream)
    }

    /// Deletes a consumer, and with it the record of what has been acknowledged.
    public func deleteConsumer(_ name: String, stream: String) async throws(NATSError) {
      _ = try await client.ask("CONSUMER.DELETE", of: stream, consumer: name, to: "delete", as: API.Deletion.self)
    }
  }

  extension NATSClient {
    /// Creates a consumer to which the server gives a name.
    internal func makeEphemeral(
      _ configuration: ConsumerConfiguration, _ stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      try await put("CREATE", configuration, stream)
    }

    fileprivate func put(
      _ request: String, _ configuration: ConsumerConfiguration, _ stream: String, consumer: String? = nil
    ) async throws(NATSError) -> ConsumerInfo {
      if let filter = configuration.filterSubject { try Names.check(pattern: filter) }
      return try await ask(
        "CONSUMER.\(request)", of: stream, consumer: consumer,
        Creation(stream: stream, configuration: configuration), to: consumer == nil ? "create a consumer of" : "create")
    }

    internal func consumerInfo(_ name: String, _ stream: String) async throws(NATSError) -> ConsumerInfo {
      try await ask("CONSUMER.INFO", of: stream, consumer: name, to: "look up")
    }
  }

  private struct Creation: Encodable {
    let stream: String
    let configuration: ConsumerConfiguration

    private enum CodingKeys: String, CodingKey {
      case stream = "stream_name"
      case configuration = "config"
    }
  }
#endif
