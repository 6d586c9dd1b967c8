// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import PenstockConcurrency
  import PenstockRedis
  import TestSupport
  import Testing

  @Suite(.withRedis) struct RedisErrorTests {
    let server: RedisServer
    let redis: RedisConnection

    init() async throws {
      server = try await RedisServer()
      redis = try await server.connect()
    }

    /// Returns the error with which a call fails.
    func error(_ body: () async throws -> Void) async -> RedisError? {
      do { try await body() } catch { return error as? RedisError }
      return nil
    }

    @Test func `A stream or group that is not there is an error that says what to do`() async throws {
      let taker = Taker(redis.deliveries(stream: "none", group: "g", consumer: "w"))
      let failure = await taker.failure()
      #expect(failure?.reason == .noGroup && failure?.description.contains("makeGroup") == true)
      #expect(failure?.mayHaveBeenCarriedOut == false)
    }

    @Test(arguments: [["XGROUP", "DESTROY", "s", "g"], ["DEL", "s"]])
    func `What is deleted while it is read ends the stream of deliveries`(_ command: [String]) async throws {
      try await redis.makeGroup(stream: "s", group: "g")
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w"))
      try await redis.publish([1], to: "s")
      let delivery = try await taker.take(1)[0]
      _ =
        command.count == 2
        ? try await redis.send(command[0], command[1]) : try await redis.send("XGROUP", "DESTROY", "s", "g")
      #expect(await taker.failure()?.reason == .noGroup)
      do {
        try await delivery.ack()
        Issue.record("Nothing is pending.")
      } catch {
        #expect(error.reason == .expired)
      }
      for body in [{ try await delivery.nak(after: nil) }, delivery.extend] {
        do {
          try await body()
          Issue.record("Nothing is pending.")
        } catch {
          #expect((error as? DeliveryError)?.reason != .expired)
        }
      }
    }

    @Test func `A password that is wrong or missing is refused`() async throws {
      let server = try await RedisServer("--requirepass", "swordfish")
      for password in ["herring", nil] {
        let error = await error { _ = try await server.connect(password: password) }
        #expect(error?.reason == .accessDenied, "\(String(describing: error))")
      }
      let redis = try await server.connect(password: "swordfish")
      try await redis.makeGroup(stream: "s", group: "g")
      try await redis.publish(0..<1, to: "s")
      // The connection of a subscriber logs in as well.
      _ = try await Taker(redis.deliveries(stream: "s", group: "g", consumer: "w")).take(1)
      _ = try await redis.send("ACL", "SETUSER", "reader", "on", ">pw", "~*", "+ping", "+client", "+xreadgroup")
      let reader = try await RedisConnection.connect(port: server.port, user: "reader", password: "pw")
      #expect(await self.error { try await reader.publish([1], to: "s") }?.reason == .accessDenied)
    }

    @Test func `A database of its own`() async throws {
      let other = try await RedisConnection.connect(port: server.port, database: 3)
      try await other.publish(0..<1, to: "s")
      #expect(try await other.length(of: "s") == 1)
      #expect(try await redis.length(of: "s") == 0)
      let missing = await error { _ = try await RedisConnection.connect(port: server.port, database: 99) }
      #expect(missing?.reason == .other(code: "ERR"))
    }

    @Test func `Nobody there is an error at once`() async throws {
      let server = try await RedisServer()
      let port = server.port
      server.stop()
      let error = await error { _ = try await RedisConnection.connect(port: port) }
      #expect(error?.reason == .unreachable && error?.mayHaveBeenCarriedOut == false)
      #expect(error?.description.contains("\(port)") == true)
      #expect(await reached { server.threads == 0 })
    }

    @Test func `A server without memory, a replica, another type: each has its reason`() async throws {
      _ = try await redis.send("SET", "text", "tea")
      #expect(await error { try await redis.publish([1], to: "text") }?.reason == .wrongType)
      #expect(
        await error { try await redis.makeGroup(stream: "text", group: "g") }?.reason
          == .wrongType)
      _ = try await redis.send("CONFIG", "SET", "maxmemory", "1")
      #expect(await error { try await redis.publish([1], to: "s") }?.reason == .outOfMemory)
      _ = try await redis.send("CONFIG", "SET", "maxmemory", "0")
      _ = try await redis.send("REPLICAOF", "127.0.0.1", "1")
      #expect(await error { try await redis.publish([1], to: "s") }?.reason == .readOnly)
    }

    @Test func `What Redis has no use for is not sent`() async throws {
      for number in 0..<5 {
        let error = await error {
          switch number {
          case 0: try await redis.publish([1], to: "")
          case 1: try await redis.publish([1], to: "s", headers: ["payload": "x"])
          case 2: try await redis.publish([1], to: "s", maxLength: -1)
          case 3: try await redis.makeGroup(stream: "", group: "g")
          default: try await redis.makeGroup(stream: "s", group: "")
          }
        }
        #expect(error?.reason == .invalidArgument)
      }
      #expect(try await redis.send("DBSIZE").integer == 0)
    }

    @Test(arguments: ["rediss", "redis", "tls"])
    func `An address in the place of a host is refused, and says what to do`(_ scheme: String) async throws {
      let failure = await error {
        _ = try await RedisConnection.connect(to: "\(scheme)://bob:s3cret@127.0.0.1:\(server.port)")
      }
      #expect(failure?.reason == .invalidArgument && failure?.description.contains("s3cret") == false)
      #expect(failure?.description.contains("proxy") == (scheme == "rediss"))
      #expect(await error { _ = try await RedisConnection.connect(to: "") }?.reason == .invalidArgument)
    }

    @Test func `No password is in a description or a mirror of a connection`() async throws {
      _ = try await redis.send("ACL", "SETUSER", "bob", "on", ">s3cret", "+@all", "~*")
      let other = try await RedisConnection.connect(port: server.port, user: "bob", password: "s3cret")
      var all = "\(other) \(String(reflecting: other))"
      dump(other, to: &all)
      // As text, and as bytes.
      #expect(!all.contains("s3cret") && !all.contains("115\n"))
      let failure = await error {
        _ = try await RedisConnection.connect(port: server.port, user: "bob", password: "s3cret2")
      }
      #expect(failure?.reason == .accessDenied && failure?.description.contains("s3cret") == false)
      other.close()
    }

    @Test func `Work whose entry is trimmed meanwhile is done when it is done`() async throws {
      try await redis.makeGroup(stream: "s", group: "g")
      try await redis.publish(0..<3, to: "s")
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w"))
      let deliveries = try await taker.take(3)
      _ = try await redis.send("XTRIM", "s", "MAXLEN", "0")
      try await deliveries[0].extend()
      try await deliveries[0].ack()
      // Another consumer has looked for entries that are due, and Redis has forgotten that this one was pending.
      _ = try await redis.send("XAUTOCLAIM", "s", "g", "other", "0", "0")
      try await deliveries[1].extend()
      try await deliveries[1].ack()
      do {
        try await deliveries[2].nak(after: nil)
        Issue.record("It can't come again.")
      } catch {
        #expect(error.reason == .refused || error.reason == .expired)
      }
      taker.cancel()
    }

    @Test func `A closed connection says so, and ends its streams`() async throws {
      try await redis.makeGroup(stream: "s", group: "g")
      try await redis.publish(0..<1, to: "s")
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w"))
      let delivery = try await taker.take(1)[0]
      redis.close()
      #expect(await taker.failure()?.reason == .closed)
      #expect(await error { try await redis.publish([1], to: "s") }?.reason == .closed)
      do { try await delivery.ack() } catch { #expect(error.reason == .closed) }
      #expect(await reached { server.threads == 0 })
    }
  }

  @Suite(.withRedis) struct RedisTrapTests {
    @Test(arguments: ["timeout", "stream", "group", "consumer", "deadline", "maxInFlight"])
    func `Its arguments have to fit`(_ argument: String) async throws {
      let server = try await RedisServer()
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [argument, port = server.port as Int] in
        let redis = try await RedisConnection.connect(
          port: port, timeout: argument == "timeout" ? .zero : .seconds(60))
        if argument == "maxInFlight" {
          _ = redis.streamSubscriber(to: "s", failure: Never.self, maxInFlight: 0) { (_: Int) in StreamMessage([]) }
        }
        let names = ["stream", "group", "consumer"].map { $0 == argument ? "" : "x" }
        _ = redis.deliveries(stream: names[0], group: names[1], consumer: names[2], deadline: .zero)
      }
      expectMessage(result, "(\(argument):) takes")
    }
  }
#endif
