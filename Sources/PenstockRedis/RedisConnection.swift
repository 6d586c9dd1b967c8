// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockCore

  /// A connection to a Redis server, version 7.0 or later.
  ///
  /// ```swift
  /// let redis = try await RedisConnection.connect(to: "127.0.0.1")
  /// try await redis.makeGroup(stream: "orders", group: "workers")
  /// let id = try await redis.publish(Array("tea".utf8), to: "orders", maxLength: 100_000)
  /// ```
  ///
  /// Commands that are called at the same time are sent together. When the link is lost, the connection makes another
  /// one on its own. A command that has not been sent waits for it, at most for the connection's time limit; one that
  /// has been sent fails, with an error that says that it may have been carried out.
  ///
  /// **Concurrency:** everything may be called in any task. The connection, and each subscriber of its deliveries, has a
  /// thread of its own, since hiredis blocks the thread that calls it. A cancel does not take back a command.
  ///
  /// The connection is not encrypted: hiredis has TLS since 1.0, and this module is made for 0.14. Use a tunnel to a
  /// server that is not on the same machine or in the same private network.
  public final class RedisConnection: Sendable {
    internal let address: RedisAddress
    internal let link: RedisLink

    private init(_ address: RedisAddress) {
      self.address = address
      link = RedisLink(address, failsAtFirst: true)
    }

    deinit { link.close() }

    /// Connects to a server.
    ///
    /// **Traps:** a time limit below a millisecond.
    ///
    /// - Parameters:
    ///   - host: Its name or address.
    ///   - port: Its port.
    ///   - user: The name of an ACL user; `nil` for the default one.
    ///   - password: The password, if there is one.
    ///   - database: The number of the database.
    ///   - timeout: How long a command may wait for a link, and then for its reply.
    /// - Returns: The connection, which is ready.
    /// - Throws: A ``RedisError`` if there is no such server, or it does not let the user in; also for an address in
    ///   place of the host, such as one with `rediss://`.
    public static func connect(
      to host: String = "127.0.0.1", port: Int = 6_379, user: String? = nil, password: String? = nil, database: Int = 0,
      timeout: Duration = .seconds(5)
    ) async throws(RedisError) -> RedisConnection {
      require(
        timeout >= .milliseconds(1), of: "connect(timeout:)", rule: "a time limit of at least 1 ms", given: timeout)
      try check(host)
      // A server that has only just started reports that in answer to the first command.
      var greeting = [words("PING"), words("CLIENT", "ID")]
      if database != 0 { greeting.insert(words("SELECT", database), at: 0) }
      let login = [user, password ?? user.map { _ in "" }].compactMap(\.self)
      if !login.isEmpty { greeting.insert(words("AUTH") + login.map { Array($0.utf8) }, at: 0) }
      let address = RedisAddress(host: host, port: port, timeout: timeout, greeting: greeting)
      let connection = RedisConnection(address)
      _ = try await connection.link.reply(to: words("PING")).get()
      return connection
    }

    /// A password must not be sent unencrypted for a caller that has asked for TLS, so an address is not accepted as a
    /// host.
    private static func check(_ host: String) throws(RedisError) {
      var scheme = host[...]
      while !scheme.isEmpty, !scheme.hasPrefix("://") { scheme = scheme.dropFirst() }
      if host.isEmpty { throw RedisError(.invalidArgument, "The host is empty: name one.") }
      if scheme.isEmpty { return }
      throw RedisError(
        .invalidArgument,
        host.lowercased().hasPrefix("rediss://")
          ? """
          This module has no TLS, which rediss:// asks for: connect to a proxy on this machine that speaks TLS to the server, \
          such as stunnel, by its host and port. Nothing has been sent.
          """
          : "Give the host and the port, the user and the password by themselves, and not as an address. Nothing has been sent."
      )
    }

    /// Sends any command; for tests.
    package func send(_ command: String...) async throws(RedisError) -> RedisReply {
      try await link.reply(to: command.map { Array($0.utf8) }).get()
    }

    /// Whether there is a link to the server now.
    public var isConnected: Bool { link.clientID != nil }

    /// Ends the connection and, within a second, those streams of its deliveries that have been asked for more, with a
    /// ``RedisError`` that has the reason `closed`.
    ///
    /// A stream whose work is busy ends when it asks for more. Entries in progress can't be acknowledged any more.
    ///
    /// Earlier calls are still carried out, if there is a link. A connection that nobody holds any more is closed.
    public func close() { link.close() }

    /// Makes a group of consumers, and the stream if there is none.
    ///
    /// - Parameters:
    ///   - stream: The key of the stream.
    ///   - group: The name of the group.
    ///   - id: The entry after which the group begins to read, by default before the first one; `nil` to read only
    ///     entries that are added from now on.
    /// - Returns: Whether there was no such group before; an existing one is left as it is.
    /// - Throws: A ``RedisError``.
    @discardableResult
    public func makeGroup(
      stream: String, group: String, from id: RedisEntryID? = RedisEntryID(milliseconds: 0)
    ) async throws(RedisError) -> Bool {
      if stream.isEmpty || group.isEmpty { throw RedisError.emptyName }
      switch await link.reply(to: words("XGROUP", "CREATE", stream, group, id?.description ?? "$", "MKSTREAM")) {
      case .success: return true
      case .failure(let error) where error.reason == .other(code: "BUSYGROUP"): return false
      case .failure(let error): throw error
      }
    }

    /// Adds an entry to a stream, and makes the stream if there is none.
    ///
    /// If it fails with ``RedisError/mayHaveBeenCarriedOut``, the entry may have been added, and publishing it again
    /// may add it twice.
    ///
    /// - Parameters:
    ///   - payload: The value of the field `payload`; any bytes.
    ///   - stream: The key of the stream; any string that is not empty.
    ///   - headers: The other fields.
    ///   - maxLength: The least number of entries that the stream keeps; older ones are deleted, *whether they have
    ///     been processed or not*. `nil` to keep all.
    /// - Returns: The name of the entry, which the server has accepted.
    /// - Throws: A ``RedisError``.
    @discardableResult
    public func publish(
      _ payload: [UInt8], to stream: String, headers: [String: String] = [:], maxLength: Int? = nil
    ) async throws(RedisError) -> RedisEntryID {
      guard let id = try await link.reply(to: Self.addition(payload, stream, headers, maxLength)).get().id
      else { throw RedisError(.other(code: "XADD"), "The server's reply names no entry: is it a Redis server?") }
      return id
    }

    /// Returns the command that adds an entry.
    internal static func addition(
      _ payload: [UInt8], _ stream: String, _ headers: [String: String], _ maxLength: Int?
    ) throws(RedisError) -> [[UInt8]] {
      if stream.isEmpty { throw RedisError.emptyName }
      if headers[payloadField] != nil {
        throw RedisError(.invalidArgument, "The field \(payloadField) is the payload's: give the header another name.")
      }
      if let maxLength, maxLength < 0 {
        throw RedisError(.invalidArgument, "A stream's length is not negative, but \(maxLength): give at least 0.")
      }
      var command = words("XADD", stream)
      if let maxLength { command += words("MAXLEN", "~", maxLength) }
      command += words("*", payloadField) + [payload]
      for (name, value) in headers { command += words(name, value) }
      return command
    }

    /// The field of an entry that is its payload.
    internal static let payloadField = "payload"
  }

  extension RedisError {
    fileprivate static let emptyName = RedisError(
      .invalidArgument, "The name of a stream or a group is empty: give one with at least one character.")
  }
#endif
