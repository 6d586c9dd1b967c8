// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  extension NATSConnection {
    private struct Deleted: Decodable { let success: Bool }
    private struct Purged: Decodable { let purged: Int }

    /// Creates a stream; an existing one with the same configuration is left as it is.
    ///
    /// - Parameter configuration: The configuration of the stream.
    /// - Returns: The state of the stream.
    /// - Throws: A ``NATSError``: a name in use, subjects of another stream, too few resources, no answer.
    @discardableResult
    public func createStream(_ configuration: StreamConfiguration) async throws(NATSError) -> StreamInfo {
      try check(configuration)
      return try await link.ask(
        "STREAM.CREATE.\(configuration.name)", configuration, "Can't create the stream \(configuration.name)")
    }

    /// Changes the configuration of a stream.
    ///
    /// - Parameter configuration: The configuration, with the name of the stream.
    /// - Returns: The state of the stream.
    @discardableResult
    public func updateStream(_ configuration: StreamConfiguration) async throws(NATSError) -> StreamInfo {
      try check(configuration)
      return try await link.ask(
        "STREAM.UPDATE.\(configuration.name)", configuration, "Can't update the stream \(configuration.name)")
    }

    /// Returns the state of a stream, and its configuration.
    public func streamInfo(_ name: String) async throws(NATSError) -> StreamInfo {
      try Names.check(name: name, of: "stream")
      return try await link.ask("STREAM.INFO.\(name)", API.Nothing(), "Can't look up the stream \(name)")
    }

    /// Returns the streams of the account.
    ///
    /// - Parameter subject: The subject that a stream has to keep, with wildcards; `nil` for all streams.
    /// - Returns: The states of the streams.
    /// - Throws: A ``NATSError``: an invalid subject, no answer.
    public func streams(keeping subject: String? = nil) async throws(NATSError) -> [StreamInfo] {
      if let subject { try Names.check(pattern: subject) }
      return try await link.list("STREAM.LIST", of: subject, "Can't list the streams") { (page: StreamPage) in
        page.streams ?? []
      }
    }

    private struct StreamPage: Decodable { let streams: [StreamInfo?]? }

    /// Deletes a stream, with all its messages and all its consumers.
    public func deleteStream(_ name: String) async throws(NATSError) {
      try Names.check(name: name, of: "stream")
      _ = try await link.ask(
        "STREAM.DELETE.\(name)", API.Nothing(), "Can't delete the stream \(name)", as: Deleted.self)
    }

    /// Deletes the messages of a stream.
    ///
    /// - Returns: The number of messages that were deleted.
    @discardableResult
    public func purgeStream(_ name: String) async throws(NATSError) -> Int {
      try Names.check(name: name, of: "stream")
      return try await link.ask(
        "STREAM.PURGE.\(name)", API.Nothing(), "Can't purge the stream \(name)", as: Purged.self
      )
      .purged
    }

    private func check(_ configuration: StreamConfiguration) throws(NATSError) {
      try Names.check(name: configuration.name, of: "stream")
      for subject in configuration.subjects { try Names.check(pattern: subject) }
    }
  }
#endif
