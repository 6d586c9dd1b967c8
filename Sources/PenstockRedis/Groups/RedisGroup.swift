// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockConcurrency

  /// The progress of a group of consumers.
  public struct RedisGroup: Sendable, Hashable {
    /// The number of entries that no consumer has got; `nil` if Redis does not know it, for example after entries have
    /// been deleted.
    public let waiting: Int?
    /// The number of entries that have been delivered and are not settled, including those that have been given back.
    public let pending: Int
    /// The number of consumers that the group has, dead ones included.
    public let consumers: Int
  }

  /// A consumer of a group, which lives on in the group when its process has ended.
  public struct RedisConsumer: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// The number of entries that it has got and that are not settled.
    public let pending: Int
    /// The time since it last asked for entries.
    public let idle: Duration
  }

  extension RedisConnection {
    /// Makes a group of consumers, and the stream if there is none.
    ///
    /// - Parameters:
    ///   - stream: The key of the stream.
    ///   - group: The name of the group.
    ///   - id: The entry after which the group begins to read, by default before the first one; `nil` to read only
    ///     entries that are added from now on. An id of some milliseconds is a date.
    /// - Returns: Whether there was no such group before; an existing one is left as it is: see
    ///   ``moveGroup(stream:group:to:)``.
    /// - Throws: A ``RedisError``.
    @discardableResult
    public func makeGroup(
      stream: String, group: String, from id: RedisEntryID? = RedisEntryID(milliseconds: 0)
    ) async throws(RedisError) -> Bool {
      if stream.isEmpty || group.isEmpty { throw RedisError.emptyName }
      switch await client.reply(to: words("XGROUP", "CREATE", stream, group, id?.description ?? "$", "MKSTREAM")) {
      case .success: return true
      case .failure(let error) where error.reason == .other(code: "BUSYGROUP"): return false
      case .failure(let error): throw error
      }
    }

    /// Lets a group continue somewhere else, for example to read everything once more.
    ///
    /// Entries that have been delivered and are not settled are not affected.
    ///
    /// - Parameters:
    ///   - stream: The key of the stream.
    ///   - group: The name of the group.
    ///   - id: The entry after which the group reads next; `nil` to read only entries that are added from now on.
    /// - Throws: A ``RedisError``.
    public func moveGroup(stream: String, group: String, to id: RedisEntryID?) async throws(RedisError) {
      if stream.isEmpty || group.isEmpty { throw RedisError.emptyName }
      _ = try await client.reply(to: words("XGROUP", "SETID", stream, group, id?.description ?? "$")).get()
    }

    /// Removes a group, with the record of what has been settled.
    ///
    /// - Parameters:
    ///   - group: The name of the group.
    ///   - stream: The key of the stream.
    /// - Returns: Whether there was such a group.
    /// - Throws: A ``RedisError``.
    @discardableResult
    public func removeGroup(_ group: String, of stream: String) async throws(RedisError) -> Bool {
      try await client.reply(to: words("XGROUP", "DESTROY", stream, group)).get().integer == 1
    }

    /// Returns the progress of a group.
    ///
    /// - Parameters:
    ///   - name: The name of the group.
    ///   - stream: The key of the stream.
    /// - Throws: A ``RedisError``; if there is no such group, an error with the reason
    ///   ``RedisError/Reason-swift.enum/noGroup``.
    public func group(_ name: String, of stream: String) async throws(RedisError) -> RedisGroup {
      for group in try await client.reply(to: words("XINFO", "GROUPS", stream)).get().array {
        let values = group.fields
        guard values["name"]?.bytes == Array(name.utf8) else { continue }
        return RedisGroup(
          waiting: values["lag"]?.integer, pending: values["pending"]?.integer ?? 0,
          consumers: values["consumers"]?.integer ?? 0)
      }
      throw RedisError(
        .noGroup, "The stream \(stream) has no group \(name): make it with makeGroup(stream:group:from:).")
    }

    // MARK: Consumers

    /// Returns the consumers of a group, dead ones included.
    ///
    /// - Parameters:
    ///   - group: The name of the group.
    ///   - stream: The key of the stream.
    /// - Throws: A ``RedisError``.
    public func consumers(of group: String, stream: String) async throws(RedisError) -> [RedisConsumer] {
      try await client.reply(to: words("XINFO", "CONSUMERS", stream, group)).get().array.map { consumer in
        let values = consumer.fields
        return RedisConsumer(
          name: values["name"]?.text ?? "", pending: values["pending"]?.integer ?? 0,
          idle: .milliseconds(values["idle"]?.integer ?? 0))
      }
    }

    /// Removes a consumer that has nothing to settle any more.
    ///
    /// Redis would forget its unsettled entries along with it, and they would never come again. So the method refuses to
    /// remove such a consumer: others get its entries after the deadline, and then it can be removed.
    ///
    /// - Parameters:
    ///   - consumer: The name of the consumer.
    ///   - group: The name of the group.
    ///   - stream: The key of the stream.
    /// - Throws: A ``RedisError``, with the reason ``RedisError/Reason-swift.enum/pendingEntries`` if it has unsettled
    ///   entries.
    public func removeConsumer(_ consumer: String, group: String, stream: String) async throws(RedisError) {
      let script = """
        if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then return -1 end
        return redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
        """
      let reply = try await client.reply(to: words("EVAL", script, 1, stream, group, consumer)).get()
      if reply.integer != -1 { return }
      throw RedisError(
        .pendingEntries,
        """
        The consumer \(consumer) of \(group) has entries that are not settled, which would be lost with it: remove it \
        when others have got them, after the deadline.
        """)
    }

    /// Removes the consumers of a group that have asked for nothing for some time, and have nothing to settle.
    ///
    /// - Parameters:
    ///   - limit: The least time since a consumer last asked for entries. A consumer that works for longer without
    ///     asking comes back, under its name, when it asks for more.
    ///   - group: The name of the group.
    ///   - stream: The key of the stream.
    /// - Returns: The names of the removed consumers.
    /// - Throws: A ``RedisError``.
    @discardableResult
    public func removeConsumers(
      idleFor limit: Duration, group: String, stream: String
    ) async throws(RedisError) -> [String] {
      var removed: [String] = []
      for consumer in try await consumers(of: group, stream: stream) where consumer.idle >= limit {
        do throws(RedisError) {
          try await removeConsumer(consumer.name, group: group, stream: stream)
          removed.append(consumer.name)
        } catch  where error.reason == .pendingEntries {
          continue
        }
      }
      return removed
    }
  }

  extension RedisError {
    internal static let emptyName = RedisError(
      .invalidArgument, "The name of a stream or a group is empty: give one with at least one character.")
  }
#endif
