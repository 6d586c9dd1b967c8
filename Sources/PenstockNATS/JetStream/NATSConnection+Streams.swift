// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  extension NATSConnection {
    private struct Purged: Decodable { let purged: Int }

    /// Creates a stream; an existing one with the same configuration is left as it is.
    ///
    /// - Parameter configuration: The configuration of the stream.
    /// - Returns: The state of the stream.
    /// - Throws: A ``NATSError``: a name in use, subjects of another stream, too few resources, no answer.
    @discardableResult
    public func createStream(_ configuration: StreamConfiguration) async throws(NATSError) -> StreamInfo {
      try await put("CREATE", configuration, to: "create")
    }

    /// Changes the configuration of a stream.
    ///
    /// - Parameter configuration: The configuration, with the name of the stream.
    /// - Returns: The state of the stream.
    @discardableResult
    public func updateStream(_ configuration: StreamConfiguration) async throws(NATSError) -> StreamInfo {
      try await put("UPDATE", configuration, to: "update")
    }

    /// Returns the state of a stream, and its configuration.
    public func streamInfo(_ name: String) async throws(NATSError) -> StreamInfo {
      try await client.ask("STREAM.INFO", of: name, to: "look up")
    }

    /// Returns the streams of the account.
    ///
    /// - Parameter subject: The subject that a stream has to keep, with wildcards; `nil` for all streams.
    /// - Returns: The states of the streams.
    /// - Throws: A ``NATSError``: an invalid subject, no answer.
    public func streams(keeping subject: String? = nil) async throws(NATSError) -> [StreamInfo] {
      if let subject { try Names.check(pattern: subject) }
      return try await client.list("STREAM.LIST", of: subject, "Can't list the streams") { (page: StreamPage) in
        page.streams ?? []
      }
    }

    private struct StreamPage: Decodable { let streams: [StreamInfo?]? }

    /// Deletes a stream, with all its messages and all its consumers.
    public func deleteStream(_ name: String) async throws(NATSError) {
      _ = try await client.ask("STREAM.DELETE", of: name, to: "delete", as: API.Deletion.self)
    }

    /// Deletes the messages of a stream.
    ///
    /// - Returns: The number of messages that were deleted.
    @discardableResult
    public func purgeStream(_ name: String) async throws(NATSError) -> Int {
      try await client.ask("STREAM.PURGE", of: name, to: "purge", as: Purged.self).purged
    }

    private func put(
      _ request: String, _ configuration: StreamConfiguration, to action: String
    ) async throws(NATSError) -> StreamInfo {
      for subject in configuration.subjects { try Names.check(pattern: subject) }
      return try await client.ask("STREAM.\(request)", of: configuration.name, configuration, to: action)
    }
  }
#endif
