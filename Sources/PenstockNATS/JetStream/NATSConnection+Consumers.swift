// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  extension NATSConnection {
    private struct Deleted: Decodable { let success: Bool }

    private struct Creation: Encodable {
      let stream: String
      let configuration: ConsumerConfiguration

      private enum CodingKeys: String, CodingKey {
        case stream = "stream_name"
        case configuration = "config"
      }
    }

    /// Creates a durable consumer; one that is there with the same configuration is left as it is.
    ///
    /// What the configuration leaves to the server is not compared.
    ///
    /// - Parameters:
    ///   - configuration: How it delivers.
    ///   - stream: The stream.
    /// - Returns: What it is.
    /// - Throws: A ``NATSError``: no such stream, a name in use by a consumer of another configuration, an invalid name, no
    ///   answer.
    @discardableResult
    public func createConsumer(
      _ configuration: ConsumerConfiguration, stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      try check(configuration, stream)
      let name = configuration.durableName
      let known: ConsumerInfo
      do throws(NATSError) {
        known = try await link.consumerInfo(name, stream)
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

    /// Changes a durable consumer, as far as the server allows it.
    ///
    /// - Parameters:
    ///   - configuration: How it delivers: best what ``consumerInfo(_:stream:)`` returns, with what is to be changed.
    ///   - stream: The stream.
    /// - Returns: What it is.
    /// - Throws: A ``NATSError``: no such stream or consumer, what can't be changed, no answer.
    @discardableResult
    public func updateConsumer(
      _ configuration: ConsumerConfiguration, stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      try check(configuration, stream)
      _ = try await link.consumerInfo(configuration.durableName, stream)
      return try await put(configuration, stream)
    }

    private func check(_ configuration: ConsumerConfiguration, _ stream: String) throws(NATSError) {
      try Names.check(name: stream, of: "stream")
      try Names.check(name: configuration.durableName, of: "consumer")
      if let filter = configuration.filterSubject { try Names.check(pattern: filter) }
    }

    private func put(
      _ configuration: ConsumerConfiguration, _ stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      let name = configuration.durableName
      return try await link.ask(
        "CONSUMER.DURABLE.CREATE.\(stream).\(name)", Creation(stream: stream, configuration: configuration),
        "Can't create the consumer \(name) of \(stream)")
    }

    /// What a consumer is, and how far it has come.
    public func consumerInfo(_ name: String, stream: String) async throws(NATSError) -> ConsumerInfo {
      try await link.consumerInfo(name, stream)
    }

    /// Deletes a consumer, and with it what it knows of acknowledgements.
    public func deleteConsumer(_ name: String, stream: String) async throws(NATSError) {
      try Names.check(name: stream, of: "stream")
      try Names.check(name: name, of: "consumer")
      _ = try await link.ask(
        "CONSUMER.DELETE.\(stream).\(name)", API.Nothing(), "Can't delete the consumer \(name) of \(stream)",
        as: Deleted.self)
    }
  }

  extension Link {
    internal func consumerInfo(_ name: String, _ stream: String) async throws(NATSError) -> ConsumerInfo {
      try Names.check(name: stream, of: "stream")
      try Names.check(name: name, of: "consumer")
      return try await ask(
        "CONSUMER.INFO.\(stream).\(name)", API.Nothing(), "Can't look up the consumer \(name) of \(stream)")
    }
  }
#endif
