// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import PenstockConcurrency
  import PenstockRedis
  import PenstockTesting
  import TestSupport
  import Testing

  @Suite(.withRedis) struct RedisPublishTests {
    let server: RedisServer
    let redis: RedisConnection

    init() async throws {
      server = try await RedisServer()
      redis = try await server.connect()
    }

    @Test func `Payloads may have any bytes, and keys any characters`() async throws {
      let payloads: [[UInt8]] = [[], [0], Array(0...255), Array("\r\n*1\r\n$8\r\nFLUSHALL\r\n%s%b".utf8)]
      for key in ["two words", "a\r\nFLUSHALL\r\nb", "nul\0key", "%s%n%b", "$4\r\nüñ🚰"] {
        try await redis.makeGroup(stream: key, group: key)
        for payload in payloads { try await redis.publish(payload, to: key, headers: [key: key, "": ""]) }
        let taker = Taker(redis.deliveries(stream: key, group: key, consumer: key))
        let all = try await taker.take(payloads.count)
        #expect(all.map(\.payload) == payloads && all.allSatisfy { $0.headers == [key: key, "": ""] })
        try await all[0].nak(after: nil)
        try await taker.take(payloads.count + 1)[payloads.count].ack()
        for delivery in all.dropFirst() { try await delivery.ack() }
        #expect(try await redis.pending(key, key) == 0)
      }
      #expect(try await redis.send("DBSIZE").integer == 5)
    }

    @Test func `A payload of many bytes comes as it was`() async throws {
      let payload = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try await redis.makeGroup(stream: "s", group: "g")
      try await redis.publish(payload, to: "s")
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w"))
      #expect(try await taker.take(1)[0].payload == payload)
    }

    @Test func `Names of entries grow, and a stream is cut where that is wanted`() async throws {
      var last = RedisEntryID(milliseconds: 0)
      for number in 0..<500 {
        let id = try await redis.publish([UInt8(number % 256)], to: "s", maxLength: 100)
        #expect(id > last)
        last = id
      }
      // About that many: whole nodes are deleted.
      #expect(try await (100..<250).contains(redis.length(of: "s")))
    }

    @Test func `What has an id is added once, also if its confirmation is lost`() async throws {
      let first = try await redis.publish([1], to: "s", id: "one", headers: ["n": "1"])
      #expect(try await redis.publish([2], to: "s", id: "one") == first)
      #expect(try await redis.publish([2], to: "s", id: "two") > first)
      // Another stream, whose first name may be of the same millisecond.
      #expect(try await redis.publish([1], to: "t", id: "one") >= first)
      #expect(try await redis.length(of: "s") == 2)
      // A link that is cut while a command waits for its reply: without an id nobody may send it again.
      let proxy = LoopbackProxy(to: server.port)
      defer { proxy.stop() }
      // Each has a link of its own, since a link sends nothing while it waits for replies.
      var links: [RedisConnection] = []
      for _ in 0..<2 { links.append(try await RedisConnection.connect(port: proxy.port, timeout: .seconds(60))) }
      proxy.set(.swallowedToClients)
      let sending = zip(links, [nil, "three"]).map { far, id in Task { try await far.publish([3], to: "s", id: id) } }
      #expect(try await reached { try await redis.length(of: "s") == 4 })
      proxy.set(.cut)
      #expect(await reached { links.allSatisfy { !$0.isConnected } })
      proxy.set(.open)
      await #expect(throws: RedisError.self) { try await sending[0].value }
      _ = try await sending[1].value
      #expect(try await redis.length(of: "s") == 4)
      let short = try await RedisConnection.connect(port: server.port, duplicateWindow: .milliseconds(1))
      try await short.publish([4], to: "s", id: "four")
      #expect(try await reached { try await redis.send("EXISTS", "s:penstock-id:four").integer == 0 })
      try await short.publish([4], to: "s", id: "four")
      #expect(try await redis.length(of: "s") == 6)
    }

    @Test func `A group begins where it is told, and is made once`() async throws {
      let first = try await redis.publish([1], to: "s")
      try await redis.publish([2], to: "s")
      #expect(try await redis.makeGroup(stream: "s", group: "all"))
      #expect(try await redis.makeGroup(stream: "s", group: "rest", from: first))
      #expect(try await redis.makeGroup(stream: "s", group: "new", from: nil))
      #expect(try await !redis.makeGroup(stream: "s", group: "all", from: nil))
      try await redis.publish([3], to: "s")
      for (group, payloads) in [("all", [1, 2, 3]), ("rest", [2, 3]), ("new", [3])] as [(String, [UInt8])] {
        let taker = Taker(redis.deliveries(stream: "s", group: group, consumer: "w"))
        #expect(try await taker.take(payloads.count).flatMap(\.payload) == payloads)
      }
    }

    func writer(maxInFlight: Int) -> StreamSubscriber<Int, TestError, RedisError> {
      redis.streamSubscriber(to: "s", maxInFlight: maxInFlight) { number in
        StreamMessage(Array("\(number)".utf8), headers: ["n": "\(number)"])
      }
    }

    @Test func `A stream of values is added in its order, and is finished when all is confirmed`() async throws {
      let writer = writer(maxInFlight: 50)
      (0..<5_000).publisher.setFailureType(to: TestError.self).subscribe(writer)
      #expect(try await writer.finished() == .finished && writer.counts.confirmed == 5_000)
      try await redis.makeGroup(stream: "s", group: "g")
      let taker = Taker(redis.deliveries(stream: "s", group: "g", consumer: "w"))
      let all = try await taker.take(5_000)
      #expect(all.map(\.number) == Array(0..<5_000) && all[7].headers == ["n": "7"])
    }

    @Test func `No more is on its way than is allowed`() async throws {
      server.pause()
      defer { server.resume() }
      let made = Locked(0)
      let writer = writer(maxInFlight: 20)
      (0..<1_000).publisher.setFailureType(to: TestError.self)
        .handleEvents(receiveOutput: { _ in made.change { $0 += 1 } }).subscribe(writer)
      #expect(made.value == 20)
      server.resume()
      try await writer.finished()
      #expect(made.value == 1_000)
      #expect(try await redis.length(of: "s") == 1_000)
    }

    @Test func `A value that is refused cancels upstream, and is reported`() async throws {
      _ = try await redis.send("SET", "s", "not a stream")
      let subject = PassthroughSubject<Int, TestError>()
      let isCancelled = Locked(false)
      let writer = writer(maxInFlight: 5)
      subject.handleEvents(receiveCancel: { isCancelled.change { $0 = true } }).subscribe(writer)
      subject.send(1)
      await #expect(throws: RedisError.self) { try await writer.finished() }
      #expect(isCancelled.value)
      do throws(RedisError) { try await writer.finished() } catch { #expect(error.reason == .wrongType) }
    }

    @Test func `The failure of upstream is told when what came before is confirmed`() async throws {
      let writer = writer(maxInFlight: 5)
      Publishers.Concatenate(
        prefix: (0..<30).publisher.setFailureType(to: TestError.self), suffix: Fail<Int, TestError>(error: .oops)
      ).subscribe(writer)
      #expect(try await writer.finished() == .failure(.oops))
      #expect(try await redis.length(of: "s") == 30)
    }

    @Test func `A cancel ends it, and so does a cancel of who waits`() async throws {
      let subject = PassthroughSubject<Int, TestError>()
      let writers = (0..<2).map { _ in writer(maxInFlight: 5) }
      for writer in writers { subject.subscribe(writer) }
      subject.send(1)
      writers[0].cancel()
      let waiting = Task { try await writers[1].finished() }
      waiting.cancel()
      for ending in [{ _ = try await writers[0].finished() }, { _ = try await waiting.value }] {
        do {
          try await ending()
          Issue.record("It has been cancelled.")
        } catch {
          #expect((error as? RedisError)?.reason == .cancelled)
        }
      }
      subject.send(2)
      // Values that had been sent before are added.
      #expect(try await redis.length(of: "s") == 2)
      // It takes one publisher.
      let late = Locked(false)
      subject.handleEvents(receiveCancel: { late.change { $0 = true } }).subscribe(writers[0])
      #expect(late.value)
    }
  }
#endif
