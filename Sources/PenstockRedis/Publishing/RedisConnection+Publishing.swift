// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockConcurrency

  extension RedisConnection {
    /// Adds an entry to a stream, and makes the stream if there is none.
    ///
    /// If the server can't be reached, the command is sent again later. If the link is lost after the command has been
    /// sent, the entry may have been added: with an `id` the command is sent again, and the entry is added once within
    /// the connection's `duplicateWindow`. Without one, the method fails with ``RedisError/mayHaveBeenCarriedOut``, and
    /// publishing it again may add it twice.
    ///
    /// Redis has no ids of its own for that. A script on the server keeps each id under a key, `stream:penstock-id:id`,
    /// until the window is over, so the user needs the rights for `EVAL`, `GET` and `SET`.
    ///
    /// - Parameters:
    ///   - payload: The value of the field `payload`; any bytes.
    ///   - stream: The key of the stream; any string that is not empty.
    ///   - id: A name for the entry, such as the number of the order that it is about; `nil` for none.
    ///   - headers: The other fields.
    ///   - maxLength: The least number of entries that the stream keeps; older ones are deleted, *whether they have
    ///     been processed or not*. `nil` to keep all.
    ///   - attempts: The greatest number of times that the command is sent.
    /// - Returns: The name of the entry, which the server has accepted.
    /// - Throws: A ``RedisError``.
    @discardableResult
    public func publish(
      _ payload: [UInt8], to stream: String, id: String? = nil, headers: [String: String] = [:], maxLength: Int? = nil,
      attempts: Int = 3
    ) async throws(RedisError) -> RedisEntryID {
      let addition = RedisAddition(
        connection: self, stream: stream, maxLength: maxLength, attempts: attempts)
      let message = StreamMessage(payload, id: id, headers: headers)
      return try await result { done in addition.add(message, done) }.get().id
    }

    /// The field of an entry that is its payload.
    internal static let payloadField = "payload"
  }

  /// What adds entries to a stream.
  internal struct RedisAddition: Sendable {
    /// An entry that the server has accepted.
    internal struct Added: Sendable {
      internal let id: RedisEntryID
      /// Whether the stream had an entry of the same id.
      internal let isDuplicate: Bool
    }

    internal let connection: RedisConnection
    internal let stream: String
    internal let maxLength: Int?
    /// The greatest number of times that a command is sent.
    internal let attempts: Int

    internal func add(
      _ message: StreamMessage<[UInt8]>, _ done: @escaping @Sendable (Result<Added, RedisError>) -> Void
    ) {
      let command: [[UInt8]]
      do throws(RedisError) {
        command = try self.command(message)
      } catch {
        return done(.failure(error))
      }
      let (client, hosts) = (connection.client, connection.address.hosts.count)
      Attempts<RedisReply, RedisError>(attempts) { error in
        // Nothing has been sent, or the server adds it once.
        !client.isClosed && error.isPassing(hosts: hosts) && (message.id != nil || !error.mayHaveBeenCarriedOut)
      } _: { _, done in
        client.send(command, done)
      }
      .run { reply, _ in done(reply.flatMap(Self.added)) }
    }

    private static func added(_ reply: RedisReply) -> Result<Added, RedisError> {
      // The script says whether it has found the id.
      if let id = reply.array.first?.id {
        return .success(Added(id: id, isDuplicate: reply.array.last?.integer == 1))
      }
      if let id = reply.id { return .success(Added(id: id, isDuplicate: false)) }
      return .failure(RedisError(.other(code: "XADD"), "The server's reply names no entry: is it a Redis server?"))
    }

    private func command(_ message: StreamMessage<[UInt8]>) throws(RedisError) -> [[UInt8]] {
      if stream.isEmpty { throw RedisError.emptyName }
      let field = RedisConnection.payloadField
      if message.headers[field] != nil {
        throw RedisError(.invalidArgument, "The field \(field) is the payload's: give the header another name.")
      }
      if let maxLength, maxLength < 0 {
        throw RedisError(.invalidArgument, "A stream's length is not negative, but \(maxLength): give at least 0.")
      }
      var arguments = maxLength.map { words("MAXLEN", "~", $0) } ?? []
      arguments += words("*", field) + [message.payload]
      for (name, value) in message.headers { arguments += words(name, value) }
      guard let id = message.id else { return words("XADD", stream) + arguments }
      let window = connection.duplicateWindow.milliseconds
      return words("EVAL", Self.script, 2, stream, "\(stream):penstock-id:\(id)", window) + arguments
    }

    private static let script = """
      local known = redis.call('GET', KEYS[2])
      if known then return {known, 1} end
      local id = redis.call('XADD', KEYS[1], unpack(ARGV, 2))
      local kept = redis.call('SET', KEYS[2], id, 'PX', ARGV[1])
      return {id, 0}
      """
  }
#endif
