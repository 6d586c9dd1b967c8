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

    /// Creates a durable consumer; one of the name that is there is changed, as far as the server allows it.
    ///
    /// - Parameters:
    ///   - configuration: How it delivers.
    ///   - stream: The stream.
    /// - Returns: What it is.
    /// - Throws: A ``NATSError``: no such stream, a name in use, an invalid name, no answer.
    @discardableResult
    public func createConsumer(
      _ configuration: ConsumerConfiguration, stream: String
    ) async throws(NATSError) -> ConsumerInfo {
      let name = configuration.durableName
      try Names.check(name: stream, of: "stream")
      try Names.check(name: name, of: "consumer")
      if let filter = configuration.filterSubject { try Names.check(pattern: filter) }
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
