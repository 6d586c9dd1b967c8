// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import PenstockConcurrency
  import PenstockRedis
  import TestSupport
  import Testing

  /// Tests of groups and their consumers, and of the end of a connection.
  @Suite(.withRedis) struct RedisGroupTests {
    let server: RedisServer
    let redis: RedisConnection

    init() async throws {
      server = try await RedisServer()
      redis = try await server.connect()
      try await redis.makeGroup(stream: "s", group: "g")
    }

    @Test func `A consumer is removed when it has nothing to settle, and not before`() async throws {
      try await redis.publish(0..<2, to: "s")
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "one"), demand: .max(2))
      let deliveries = try await taker.take(2)
      _ = try await redis.send("XGROUP", "CREATECONSUMER", "s", "g", "two")
      let consumers = try await redis.consumers(of: "g", stream: "s")
      #expect(consumers.map(\.name).sorted() == ["one", "two"] && consumers.map(\.pending).reduce(0, +) == 2)
      do throws(RedisError) {
        try await redis.removeConsumer("one", group: "g", stream: "s")
        Issue.record("Its entries would be lost.")
      } catch {
        #expect(error.reason == .pendingEntries)
      }
      #expect(try await redis.removeConsumers(idleFor: .zero, group: "g", stream: "s") == ["two"])
      #expect(try await redis.removeConsumers(idleFor: .seconds(3_600), group: "g", stream: "s").isEmpty)
      for delivery in deliveries { try await delivery.ack() }
      taker.cancel()
      try await redis.removeConsumer("one", group: "g", stream: "s")
      #expect(try await redis.consumers(of: "g", stream: "s").isEmpty)
      #expect(try await redis.group("g", of: "s").consumers == 0)
      // One that does not exist is no error.
      try await redis.removeConsumer("one", group: "g", stream: "s")
    }

    @Test func `A group starts where it is wanted, at a date too, and can be moved and removed`() async throws {
      var ids: [RedisEntryID] = []
      for number in 1...4 {
        let id = RedisEntryID(milliseconds: UInt64(number) * 1_000)
        _ = try await redis.send("XADD", "s", id.description, "payload", "\(number)")
        ids.append(id)
      }
      // After two and a half seconds of 1970.
      try await redis.makeGroup(stream: "s", group: "later", from: RedisEntryID(milliseconds: 2_500))
      let taker = Taker(redis.deliveries(stream: "s", group: "later", consumer: "w"))
      for delivery in try await taker.take(2) { try await delivery.ack() }
      #expect(taker.deliveries.map(\.number) == [3, 4])
      try await redis.moveGroup(stream: "s", group: "later", to: ids[0])
      #expect(try await taker.take(5).dropFirst(2).map(\.number) == [2, 3, 4])
      taker.cancel()
      try await redis.moveGroup(stream: "s", group: "g", to: nil)
      try await redis.publish(5..<6, to: "s")
      let other = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w"))
      #expect(try await other.take(1)[0].number == 5)
      #expect(try await redis.removeGroup("later", of: "s"))
      #expect(try await !redis.removeGroup("later", of: "s"))
      await #expect(throws: RedisError.self) { try await redis.moveGroup(stream: "s", group: "later", to: nil) }
      #expect(try await redis.group("g", of: "s").pending == 1)
    }

    @Test func `A drained connection finishes its streams, waits for what they have delivered, and closes`()
      async throws
    {
      let watch = try await server.connect()
      try await redis.publish(0..<4, to: "s")
      let busy = Taker(redis.deliveries(stream: "s", group: "g", consumer: "busy"), demand: .max(2))
      let deliveries = try await busy.take(2)
      let waiting = Taker(redis.deliveries(stream: "s", group: "g", consumer: "waits"))
      let others = try await waiting.take(2)
      for delivery in others { try await delivery.ack() }
      let hasReturned = Locked(false)
      let draining = Task {
        await redis.drain()
        hasReturned.change { $0 = true }
      }
      #expect(await waiting.end() == .finished)
      #expect(!hasReturned.value)
      try await redis.publish(4..<5, to: "s")
      for delivery in deliveries { try await delivery.ack() }
      await draining.value
      #expect(try await watch.pending("s") == 0)
      #expect(try await watch.length(of: "s") == 5)
      busy.recorder.request(.max(1))
      #expect(await busy.end() == .finished)
      do { try await redis.publish([1], to: "s") } catch { #expect(error.reason == .closed) }
      #expect(try await reached { try await watch.clients() == 1 })
      // A server that does not reply delays the end until the limit, and not beyond it.
      let other = try await server.connect()
      server.pause()
      defer { server.resume() }
      await other.drain(within: .milliseconds(50))
      await #expect(throws: RedisError.self) { try await other.publish([1], to: "s") }
    }

    @Test func `What a process holds is counted`() async throws {
      try await redis.publish(0..<3, to: "s")
      let publisher = redis.deliveries(stream: "s", group: "g", consumer: "w")
      let taker = Taker(publisher, demand: .max(2))
      let deliveries = try await taker.take(2)
      #expect(await reached { publisher.counts.fetched == 2 && publisher.counts.credit == 0 })
      #expect(publisher.counts.asked == 2 && publisher.counts.inFlight == 2)
      try await deliveries[0].ack()
      try await deliveries[1].terminate()
      #expect(publisher.counts.acknowledged == 1 && publisher.counts.terminated == 1 && publisher.counts.inFlight == 0)
      taker.cancel()
    }
  }

  /// Tests of a primary that dies while a replica has what it had.
  @Suite(.withRedis) struct RedisFailoverTests {
    @Test func `When a replica is promoted, the stream continues there`() async throws {
      let (primary, replica) = (try await RedisServer(), try await RedisServer())
      let onReplica = try await replica.connect()
      _ = try await onReplica.send("REPLICAOF", "127.0.0.1", "\(primary.port)")
      let redis = try await RedisConnection.connect(
        toOneOf: [replica, primary].map { RedisHost("127.0.0.1", port: $0.port) }, timeout: .seconds(60))
      try await redis.makeGroup(stream: "s", group: "g")
      let publisher = redis.deliveries(stream: "s", group: "g", consumer: "w", deadline: .seconds(600))
      let taker = Taker(publisher)
      try await redis.publish(0..<100, to: "s")
      let first = try await taker.take(100)
      for delivery in first.prefix(40) { try await delivery.ack() }
      // Replication is asynchronous: what the replica has not received is lost.
      #expect(try await reached { try await redis.send("WAIT", "1", "1000").integer == 1 })
      primary.stop()
      _ = try await onReplica.send("REPLICAOF", "NO", "ONE")
      // With ids, since one may be on its way when the link is lost.
      for number in 100..<120 {
        try await redis.publish(Array("\(number)".utf8), to: "s", id: "\(number)", attempts: 100)
      }
      #expect(try await taker.take(120).dropFirst(100).map(\.number).sorted() == Array(100..<120))
      #expect(try await onReplica.pending("s") == 80)
      for delivery in first.dropFirst(40) { try await delivery.ack() }
      for delivery in taker.deliveries.dropFirst(100) { try await delivery.ack() }
      #expect(try await onReplica.pending("s") == 0 && publisher.counts.acknowledged == 120)
      // The old primary comes back as a replica of the new one, and then takes over again, while both are there.
      try await primary.start()
      let onPrimary = try await primary.connect()
      _ = try await onPrimary.send("REPLICAOF", "127.0.0.1", "\(replica.port)")
      #expect(try await reached { try await onPrimary.text("INFO", "replication").contains("master_link_status:up") })
      #expect(try await reached { try await redis.send("WAIT", "1", "1000").integer == 1 })
      _ = try await onPrimary.send("REPLICAOF", "NO", "ONE")
      _ = try await onReplica.send("REPLICAOF", "127.0.0.1", "\(primary.port)")
      try await redis.publish(Array("120".utf8), to: "s", attempts: 100)
      #expect(try await taker.take(121)[120].number == 120)
      taker.cancel()
      await redis.drain()
    }

    @Test func `Servers none of which takes writes are an error`() async throws {
      let replica = try await RedisServer()
      let onReplica = try await replica.connect()
      _ = try await onReplica.send("REPLICAOF", "127.0.0.1", "1")
      let hosts = [RedisHost("127.0.0.1", port: replica.port), RedisHost("127.0.0.1", port: 1)]
      for hosts in [hosts, hosts.reversed()] {
        do throws(RedisError) {
          _ = try await RedisConnection.connect(toOneOf: hosts)
          Issue.record("None of them can be used.")
        } catch {
          #expect(error.reason == .readOnly || error.reason == .unreachable)
        }
      }
      // One server is taken as it is, and says what it can't do.
      await #expect(throws: RedisError.self) { try await onReplica.publish([1], to: "s") }
    }
  }
#endif
