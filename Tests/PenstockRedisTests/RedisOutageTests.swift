// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import PenstockConcurrency
  import PenstockRedis
  import TestSupport
  import Testing

  /// Tests of what happens when the server or the link goes away.
  @Suite(.withRedis) struct RedisOutageTests {
    @Test func `A server that is killed again and again loses nothing that it has confirmed`() async throws {
      let server = try await RedisServer("--appendonly", "yes", "--appendfsync", "always")
      let redis = try await server.connect()
      try await redis.makeGroup(stream: "s", group: "g")
      let count = 3_000
      let (confirmed, handled) = (Locked<Set<Int>>([]), Locked<[Int]>([]))
      let working = redis.deliveries(stream: "s", group: "g", consumer: "w", deadline: .seconds(2))
        .acknowledged(maxTasks: .max(16)) { delivery in handled.change { $0.append(delivery.number) } }
        .sink { completion in
          Issue.record("The stream has ended: \(completion)")
        } receiveValue: { _ in
        }
      let publishing = Task {
        for start in stride(from: 0, to: count, by: 50) {
          await withTaskGroup(of: Void.self) { group in
            for number in start..<(start + 50) {
              group.addTask {
                // Until it is confirmed; some values will be added twice.
                while !confirmed.value.contains(number) {
                  do throws(RedisError) {
                    try await redis.publish(Array("\(number)".utf8), to: "s")
                    confirmed.change { _ = $0.insert(number) }
                  } catch {
                    #expect(
                      error.reason == .disconnected || error.reason == .unreachable
                        || error.reason == .other(code: "LOADING"))
                  }
                }
              }
            }
          }
        }
      }
      for round in 1...3 {
        #expect(await reached { confirmed.value.count >= round * 500 })
        server.stop()
        try await server.start()
      }
      await publishing.value
      #expect(await reached { Set(handled.value).count == count })
      #expect(Set(handled.value) == Set(0..<count))
      let surplus = try await redis.length(of: "s") - count
      // No more than were on their way when the server was killed.
      #expect((0...150).contains(surplus), "\(surplus) were added twice")
      #expect(try await reached { try await redis.pending("s") == 0 })
      working.cancel()
    }

    @Test func `A link that is cut is made again, and what was on its way says so`() async throws {
      let server = try await RedisServer()
      let (redis, other) = (try await server.connect(), try await server.connect())
      try await redis.makeGroup(stream: "s", group: "g")
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w"))
      for round in 0..<5 {
        #expect(try await reached { try await other.clients() == 3 })
        _ = try await other.send("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        #expect(try await reached { try await other.clients() == 3 })
        // Nothing was on its way, so nothing is reported.
        try await redis.publish(round..<(round + 1), to: "s")
        _ = try await taker.take(round + 1)
      }
      // A command that never gets its reply, because its link is cut meanwhile.
      let stuck = Task { try await redis.send("BLPOP", "nothing", "0") }
      #expect(
        try await reached {
          try await other.text("CLIENT", "LIST").contains("cmd=blpop")
        })
      _ = try await other.send("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
      do {
        _ = try await stuck.value
        Issue.record("There is no reply.")
      } catch {
        #expect((error as? RedisError)?.reason == .disconnected)
        #expect((error as? RedisError)?.mayHaveBeenCarriedOut == true)
      }
    }

    @Test func `A server that is silent for too long is a typed failure, and is found again`() async throws {
      let server = try await RedisServer()
      let redis = try await server.connect(timeout: .milliseconds(300))
      try await redis.makeGroup(stream: "s", group: "g")
      var options = RedisDeliveryOptions()
      options.failsAfter = .seconds(1)
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w", options: options))
      try await redis.publish(0..<1, to: "s")
      let delivery = try await taker.take(1)[0]
      server.pause()
      defer { server.resume() }
      do throws(RedisError) {
        try await redis.publish([1], to: "s")
        Issue.record("Nobody can have replied.")
      } catch {
        #expect(error.reason == .disconnected && error.mayHaveBeenCarriedOut)
      }
      do throws(RedisError) {
        try await redis.publish([2], to: "s", attempts: 1)
        Issue.record("Nobody can have replied.")
      } catch {
        #expect(error.reason == .unreachable || error.reason == .disconnected)
      }
      do { try await delivery.ack() } catch { #expect(error.reason == .closed) }
      #expect(await taker.failure()?.reason == .outage)
      #expect(!redis.isConnected)
      server.resume()
      #expect(await reached { redis.isConnected })
      // It has not been settled, as far as anybody knows.
      do {
        try await delivery.ack()
      } catch {
        #expect(error.reason == .expired)
      }
      // Others may be pending, if the server has read for the connection that was given up.
      let id = delivery.id.description
      #expect(try await redis.send("XPENDING", "s", "g", id, id, "1").array.isEmpty)
    }

    @Test func `A cancel of who waits for a silent server does not wait`() async throws {
      let server = try await RedisServer()
      let redis = try await server.connect(timeout: .milliseconds(500))
      try await redis.makeGroup(stream: "s", group: "g")
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w"))
      #expect(await reached { server.threads == 2 })
      server.pause()
      defer { server.resume() }
      taker.cancel()
      redis.close()
      #expect(await reached(within: .seconds(60)) { server.threads == 0 })
    }
  }

  @Suite(.withRedis) struct RedisLifetimeTests {
    @Test func `Nothing is left of what nobody has any more`() async throws {
      let server = try await RedisServer()
      let watch = try await server.connect()
      for round in 0..<10 {
        weak var leak: RedisConnection?
        do {
          let redis = try await server.connect()
          leak = redis
          try await redis.makeGroup(stream: "s\(round)", group: "g")
          let takers = (0..<3).map { number in
            Taker(redis.deliveries(stream: "s\(round)", group: "g", consumer: "\(number)"))
          }
          try await redis.publish(0..<9, to: "s\(round)")
          #expect(await reached { takers.map(\.deliveries.count).reduce(0, +) == 9 })
          #expect(await reached { server.threads == 5 })
          if round % 2 == 0 { redis.close() }
        }
        #expect(await reached { leak == nil && server.threads == 1 })
        #expect(try await reached { try await watch.clients() == 1 })
      }
    }

    @Test func `A writer and its publisher are freed at the end`() async throws {
      let server = try await RedisServer()
      weak var leak: RedisConnection?
      weak var writerLeak: StreamSubscriber<Int, Never, RedisError>?
      do {
        let redis = try await server.connect()
        let writer = redis.streamSubscriber(to: "s", failure: Never.self, maxInFlight: 3) { (_: Int) in
          StreamMessage([])
        }
        (leak, writerLeak) = (redis, writer)
        (0..<100).publisher.subscribe(writer)
        try await writer.finished()
      }
      #expect(await reached { leak == nil && writerLeak == nil && server.threads == 0 })
    }
  }
#endif
