// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  internal import PenstockCore

  extension NATSConnection {
    /// Creates a bucket; an existing one with the same configuration is left as it is.
    ///
    /// - Parameter configuration: The configuration of the bucket.
    /// - Returns: The bucket.
    /// - Throws: A ``NATSError``: a name in use, an invalid name, too few resources, no answer.
    public func createBucket(_ configuration: NATSBucketConfiguration) async throws(NATSError) -> NATSBucket {
      let bucket = try bucket(configuration.name)
      guard (1...64).contains(configuration.history) else {
        throw NATSError(.invalidName, "A bucket keeps 1 to 64 values of a key: \(configuration.history) can't be.")
      }
      try await createStream(configuration.stream)
      return bucket
    }

    /// Returns a bucket that exists.
    ///
    /// The method does not check whether it exists: calls on a bucket that does not exist fail, with
    /// ``NATSError/Reason/streamNotFound``.
    ///
    /// - Parameter name: The name.
    /// - Throws: A ``NATSError`` if the name is invalid.
    public func bucket(_ name: String) throws(NATSError) -> NATSBucket {
      try Names.check(name: name, of: "bucket")
      return NATSBucket(self, name)
    }

    /// Deletes a bucket, with all its keys.
    public func deleteBucket(_ name: String) async throws(NATSError) {
      try Names.check(name: name, of: "bucket")
      try await deleteStream("KV_\(name)")
    }
  }

  /// Keys and values that a server keeps, and whose changes can be watched.
  ///
  /// ```swift
  /// let limits = try await connection.createBucket(NATSBucketConfiguration("limits"))
  /// let first = try await limits.put("21", for: "kitchen.max")
  /// try await limits.update("22", for: "kitchen.max", revision: first)
  /// print(try await limits.get("kitchen.max")?.text ?? "none")
  /// ```
  public struct NATSBucket: Sendable {
    /// The name of the bucket.
    public let name: String
    internal let connection: NATSConnection

    internal init(_ connection: NATSConnection, _ name: String) {
      self.connection = connection
      self.name = name
    }

    /// Returns the value of a key, as the server that leads the bucket has it.
    ///
    /// - Returns: The entry; `nil` if the key has no value, or it has been deleted.
    public func get(_ key: String) async throws(NATSError) -> NATSEntry? {
      guard let entry = try await latest(key), entry.operation == .put else { return nil }
      return entry
    }

    /// Returns the value that a key had after a change.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The number of the change, as ``NATSEntry/revision`` or `put` has it.
    /// - Returns: The entry, which may be a deletion; `nil` if the change was one of another key, or the bucket does not
    ///   keep it any more.
    public func get(_ key: String, revision: UInt64) async throws(NATSError) -> NATSEntry? {
      try Names.check(key: key)
      guard let entry = try await entry(MessageQuery(seq: revision)), entry.key == key else { return nil }
      return entry
    }

    /// Returns the changes of a key that the bucket keeps, the oldest first.
    ///
    /// - Returns: The entries, deletions included; none if the key has never had a value, or has been purged and
    ///   forgotten. A bucket keeps as many as its ``NATSBucketConfiguration/history`` says.
    public func history(of key: String) async throws(NATSError) -> [NATSEntry] {
      try Names.check(key: key)
      var entries: [NATSEntry] = []
      var next: UInt64 = 1
      while let entry = try await entry(MessageQuery(seq: next, next_by_subj: subject(key))) {
        entries.append(entry)
        next = entry.revision + 1
      }
      return entries
    }

    /// Returns the keys that have a value, in the order of their last changes.
    ///
    /// - Parameter pattern: The keys; `*` stands for one part between dots, `>` at the end for all others.
    public func keys(_ pattern: String = ">") async throws(NATSError) -> [String] {
      var keys: [String] = []
      let events = watchEvents(pattern)
      do {
        for try await event in events.values {
          guard case .entry(let entry) = event else { break }
          if entry.operation == .put { keys.append(entry.key) }
        }
      } catch {
        throw error as? NATSError ?? NATSError(.client, "\(error)")
      }
      return keys
    }

    /// Returns the last change of a key, which may be its deletion.
    private func latest(_ key: String) async throws(NATSError) -> NATSEntry? {
      try Names.check(key: key)
      return try await entry(MessageQuery(last_by_subj: subject(key)))
    }

    private func entry(_ query: MessageQuery) async throws(NATSError) -> NATSEntry? {
      guard let stored = try await connection.client.message(query, "KV_\(name)") else { return nil }
      return NATSEntry(name, stored.message, stored.sequence)
    }

    /// Sets the value of a key, whatever value it had.
    ///
    /// - Returns: The number of the change.
    @discardableResult
    public func put(_ value: [UInt8], for key: String) async throws(NATSError) -> UInt64 { try await write(value, key) }

    /// Sets the value of a key to a text; see ``put(_:for:)-([UInt8],_)``.
    @discardableResult
    public func put(_ text: String, for key: String) async throws(NATSError) -> UInt64 {
      try await put(Array(text.utf8), for: key)
    }

    /// Sets the value of a key, if the key has none.
    ///
    /// - Returns: The number of the change.
    /// - Throws: A ``NATSError``, with ``NATSError/Reason/wrongLastSequence`` if the key has a value.
    @discardableResult
    public func create(_ value: [UInt8], for key: String) async throws(NATSError) -> UInt64 {
      do throws(NATSError) {
        return try await write(value, key, revision: 0)
      } catch  where error.reason == .wrongLastSequence {
        // The last change may be a deletion.
        guard let latest = try await latest(key), latest.operation != .put else { throw error }
        return try await write(value, key, revision: latest.revision)
      }
    }

    /// Sets the value of a key, if nobody has changed it since a revision.
    ///
    /// - Parameters:
    ///   - value: The bytes.
    ///   - key: The key.
    ///   - revision: The number of the last change of the key, as far as is known.
    /// - Returns: The number of the change.
    /// - Throws: A ``NATSError``, with ``NATSError/Reason/wrongLastSequence`` if somebody has changed it.
    @discardableResult
    public func update(_ value: [UInt8], for key: String, revision: UInt64) async throws(NATSError) -> UInt64 {
      try await write(value, key, revision: revision)
    }

    /// Sets the value of a key to a text, if nobody has changed it since a revision; see
    /// ``update(_:for:revision:)-([UInt8],_,_)``.
    @discardableResult
    public func update(_ text: String, for key: String, revision: UInt64) async throws(NATSError) -> UInt64 {
      try await update(Array(text.utf8), for: key, revision: revision)
    }

    /// Deletes a key; watchers are told, and earlier values are kept as far as the history allows.
    public func delete(_ key: String) async throws(NATSError) {
      _ = try await write([], key, headers: ["KV-Operation": "DEL"])
    }

    /// Deletes a key, with its earlier values.
    public func purge(_ key: String) async throws(NATSError) {
      _ = try await write([], key, headers: ["KV-Operation": "PURGE", "Nats-Rollup": "sub"])
    }

    private func subject(_ key: String) -> String { "$KV.\(name).\(key)" }

    private func write(
      _ value: [UInt8], _ key: String, revision: UInt64? = nil, headers: [String: String] = [:]
    ) async throws(NATSError) -> UInt64 {
      try Names.check(key: key)
      // The server of another domain takes changes on subjects that begin with the prefix of its API.
      let prefix = connection.client.options.jetStreamPrefix
      let place = (prefix == NATSOptions().jetStreamPrefix ? "" : prefix + ".") + subject(key)
      var publication = NATSPublication(value, to: place, headers: headers)
      publication.expectedLastSubjectSequence = revision
      return try await connection.publishConfirmed(publication).sequence
    }
  }
#endif
