// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockConcurrency
  internal import PenstockCore
  internal import Synchronization

  /// A connection to a Redis server, version 7.0 or later.
  ///
  /// ```swift
  /// let redis = try await RedisConnection.connect(to: "127.0.0.1")
  /// try await redis.makeGroup(stream: "orders", group: "workers")
  /// let id = try await redis.publish(Array("tea".utf8), to: "orders", maxLength: 100_000)
  /// await redis.drain()
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
    internal let client: RedisClient
    /// The readers of all streams, which look for the end when they are told.
    internal let readers = Observers<Void>()
    /// The unsettled deliveries of all streams.
    internal let unsettled = Tally()
    internal let isDraining = AtomicCell(false)
    internal let duplicateWindow: Duration

    private init(_ address: RedisAddress, _ duplicateWindow: Duration) {
      self.address = address
      self.duplicateWindow = duplicateWindow
      client = RedisClient(address, failsAtFirst: true)
    }

    deinit { client.close() }

    /// Connects to a server.
    ///
    /// **Traps:** a time limit or a window below a millisecond.
    ///
    /// - Parameters:
    ///   - host: Its name or address.
    ///   - port: Its port.
    ///   - user: The name of an ACL user; `nil` for the default one.
    ///   - password: The password, if there is one.
    ///   - database: The number of the database.
    ///   - timeout: How long a command may wait for a link, and then for its reply.
    ///   - duplicateWindow: How long the server remembers the ids of published entries, so as not to add one twice.
    /// - Returns: The connection, which is ready.
    /// - Throws: A ``RedisError`` if there is no such server, or it does not let the user in; also for an address in
    ///   place of the host, such as one with `rediss://`.
    public static func connect(
      to host: String = "127.0.0.1", port: Int = 6_379, user: String? = nil, password: String? = nil, database: Int = 0,
      timeout: Duration = .seconds(5), duplicateWindow: Duration = .seconds(120)
    ) async throws(RedisError) -> RedisConnection {
      try await connect(
        [RedisHost(host, port: port)], user, password, database, timeout: timeout, duplicateWindow: duplicateWindow)
    }

    /// Connects to that one of several servers that takes writes: the primary, and not its replicas.
    ///
    /// ```swift
    /// let redis = try await RedisConnection.connect(toOneOf: [RedisHost("10.0.0.7"), RedisHost("10.0.0.8")])
    /// ```
    ///
    /// When the link is lost, or its server has become a replica, the servers are tried in turn until one of them takes
    /// writes. Somebody else has to promote a replica, with `REPLICAOF NO ONE`; a replica that has not received
    /// everything does not have it.
    ///
    /// **Traps:** no server, a time limit or a window below a millisecond.
    ///
    /// - Parameters:
    ///   - hosts: The servers.
    ///   - user: The name of an ACL user; `nil` for the default one.
    ///   - password: The password, if there is one.
    ///   - database: The number of the database.
    ///   - timeout: How long a command may wait for a link, and then for its reply.
    ///   - duplicateWindow: How long the server remembers the ids of published entries, so as not to add one twice.
    /// - Returns: The connection, which is ready.
    /// - Throws: A ``RedisError`` if none of the servers can be used.
    public static func connect(
      toOneOf hosts: [RedisHost], user: String? = nil, password: String? = nil, database: Int = 0,
      timeout: Duration = .seconds(5), duplicateWindow: Duration = .seconds(120)
    ) async throws(RedisError) -> RedisConnection {
      require(!hosts.isEmpty, of: "connect(toOneOf:)", rule: "one server or more", given: "none")
      return try await connect(hosts, user, password, database, timeout: timeout, duplicateWindow: duplicateWindow)
    }

    private static func connect(
      _ hosts: [RedisHost], _ user: String?, _ password: String?, _ database: Int, timeout: Duration,
      duplicateWindow: Duration
    ) async throws(RedisError) -> RedisConnection {
      for (name, time) in [("timeout", timeout), ("duplicateWindow", duplicateWindow)] {
        require(time >= .milliseconds(1), of: "connect(\(name):)", rule: "a time limit of at least 1 ms", given: time)
      }
      for host in hosts { try host.check() }
      // A server that has only just started reports that in answer to the first command.
      var greeting = [words("PING"), words("CLIENT", "ID")]
      if hosts.count > 1 { greeting.append(words("ROLE")) }
      if database != 0 { greeting.insert(words("SELECT", database), at: 0) }
      let login = [user, password ?? user.map { _ in "" }].compactMap(\.self)
      if !login.isEmpty { greeting.insert(words("AUTH") + login.map { Array($0.utf8) }, at: 0) }
      let connection = RedisConnection(
        RedisAddress(hosts: hosts, timeout: timeout, greeting: greeting), duplicateWindow)
      _ = try await connection.client.reply(to: words("PING")).get()
      return connection
    }

    /// Sends any command; for tests.
    package func send(_ command: String...) async throws(RedisError) -> RedisReply {
      try await client.reply(to: command.map { Array($0.utf8) }).get()
    }

    /// Whether there is a link to the server now.
    public var isConnected: Bool { client.clientID != nil }

    /// Finishes work that has begun, and closes the connection.
    ///
    /// Streams of deliveries fetch no more, and finish; their deliveries may be settled; commands that have been called
    /// are carried out. Then the connection is closed, at the limit even if something remains.
    ///
    /// Work that takes longer is not stopped at the limit, and its deliveries come again after their deadline. Cancel
    /// its subscription before.
    ///
    /// - Parameter limit: How long settling deliveries and carrying out commands may take. Then the method returns,
    ///   whatever the server does.
    public func drain(within limit: Duration = .seconds(30)) async {
      let end = ContinuousClock.now + limit.countable
      isDraining.store(true, ordering: .releasing)
      readers.tell(())
      await unsettled.waitForZero(until: end)
      // The server replies when it has carried out everything before.
      let last = Tally()
      last.add(1)
      client.send(words("PING")) { _ in last.add(-1) }
      await last.waitForZero(until: end)
      client.close()
    }

    /// Ends the connection and, within a second, those streams of its deliveries that have been asked for more, with a
    /// ``RedisError`` that has the reason `closed`.
    ///
    /// A stream whose work is busy ends when it asks for more. Entries in progress can't be acknowledged any more.
    ///
    /// Earlier calls are still carried out, if there is a link. A connection that nobody holds any more is closed.
    public func close() { client.close() }
  }
#endif
