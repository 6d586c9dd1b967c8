// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import PenstockConcurrency
  import PenstockRedis
  import TestSupport
  import Testing

  @Suite(.withRedis) struct RedisDeliveryTests {
    let server: RedisServer
    let redis: RedisConnection

    init() async throws {
      server = try await RedisServer()
      redis = try await server.connect()
      try await redis.makeGroup(stream: "s", group: "g")
    }

    func deliveries(
      _ consumer: String = "w", deadline: Duration = .seconds(600), batch: ClosedRange<Int> = 1...64,
      refillAt lowMark: Int? = nil
    ) -> some Publisher<RedisDelivery, RedisError> & Sendable {
      redis.deliveries(
        stream: "s", group: "g", consumer: consumer, deadline: deadline, batch: batch, refillAt: lowMark)
    }

    @Test func `A delivery has what was published, and is gone when it is acknowledged`() async throws {
      let id = try await redis.publish(Array("tea".utf8), to: "s", headers: ["trace": "4711"])
      let taker = Taker(deliveries())
      let delivery = try await taker.take(1)[0]
      #expect(delivery.text == "tea" && delivery.headers == ["trace": "4711"] && delivery.subject == "s")
      #expect(delivery.id == id && delivery.attempt == 1 && delivery.deadline == .seconds(600))
      #expect(delivery.age >= .zero && delivery.age < .seconds(600))
      #expect(try await redis.pending("s") == 1)
      try await delivery.ack()
      #expect(try await redis.pending("s") == 0)
    }

    @Test func `The server gives out what is requested: nothing, one, several, all`() async throws {
      try await redis.publish(0..<200, to: "s")
      let taker = Taker(deliveries(), demand: nil)
      #expect(try await redis.pending("s") == 0)
      for (demand, sum) in [(1, 1), (1, 2), (5, 7), (70, 77)] {
        taker.recorder.request(.max(demand))
        #expect(try await taker.take(sum).count == sum)
        #expect(try await redis.pending("s") == sum)
      }
      taker.recorder.request(.unlimited)
      #expect(try await taker.take(200).map(\.number).sorted() == Array(0..<200))
      #expect(Set(taker.deliveries.map(\.id)).count == 200 && taker.recorder.complaints.isEmpty)
    }

    @Test func `A batch is read ahead where that is wanted`() async throws {
      try await redis.publish(0..<10, to: "s")
      let taker = Taker(deliveries(batch: 1...4, refillAt: 0), demand: nil)
      #expect(try await reached { try await redis.pending("s") == 4 })
      taker.recorder.request(.max(1))
      _ = try await taker.take(1)
      #expect(try await redis.pending("s") == 4)
    }

    @Test func `Those that wait get what is published later`() async throws {
      let taker = Taker(deliveries())
      for number in 0..<20 {
        try await redis.publish(number..<(number + 1), to: "s")
        #expect(try await taker.take(number + 1).last?.number == number)
      }
    }

    @Test func `What is not settled before its deadline comes again, as the second attempt`() async throws {
      try await redis.publish(0..<1, to: "s")
      let taker = Taker(deliveries(deadline: .milliseconds(400)), demand: .max(2))
      let both = try await taker.take(2)
      #expect(both.map(\.attempt) == [1, 2] && both[0].id == both[1].id)
      #expect(both[1].age >= .milliseconds(400))
      // A consumer that has lost a delivery can't keep it from the one that has it, but may say that it is done.
      for late in [both[0].extend, { try await both[0].nak(after: nil) }] {
        do {
          try await late()
          Issue.record("It has been delivered again.")
        } catch {
          #expect((error as? DeliveryError)?.reason == .expired)
        }
      }
    }

    @Test func `An acknowledgement after the deadline counts once`() async throws {
      try await redis.publish(0..<1, to: "s")
      let taker = Taker(deliveries(deadline: .milliseconds(200)), demand: .max(2))
      let both = try await taker.take(2)
      try await both[0].ack()
      #expect(try await redis.pending("s") == 0)
      do { try await both[1].ack() } catch { #expect(error.reason == .expired) }
    }

    @Test func `What is given back comes again at once`() async throws {
      try await redis.publish(0..<3, to: "s")
      let taker = Taker(deliveries())
      for delivery in try await taker.take(3) { try await delivery.nak(after: nil) }
      let again = try await taker.take(6).suffix(3)
      #expect(again.map(\.number).sorted() == [0, 1, 2] && again.map(\.attempt) == [2, 2, 2])
      #expect(try await reached { try await redis.hasWaiter() })
      try await again.first?.nak(after: .zero)
      #expect(try await taker.take(7)[6].attempt == 3)
      // The reader has not waited for the time of its next look.
      #expect(try await redis.hasUnblocked())
    }

    @Test func `What is set aside is in another stream, with where it came from`() async throws {
      try await redis.publish(Array("poison".utf8), to: "s", headers: ["Colour": "blue"])
      let work = redis.deliveries(stream: "s", group: "g", consumer: "w", deadline: .seconds(600))
        .sendable.deadLetter(after: 2, to: "dead", of: redis).publisher
        .acknowledged(onFailure: { _, _ in .nak() }) { _ in throw DeliveryError(.refused, "poison") }
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      try await redis.makeGroup(stream: "dead", group: "g")
      let taker = Taker(redis.deliveries(stream: "dead", group: "g", consumer: "w"))
      let letter = try await taker.take(1)[0]
      #expect(letter.payload == Array("poison".utf8))
      #expect(letter.headers == ["Colour": "blue", "penstock-subject": "s", "penstock-attempts": "2"])
      taker.cancel()
      work.cancel()
    }

    @Test func `What is given back for later comes later`() async throws {
      try await redis.publish(0..<1, to: "s")
      let taker = Taker(deliveries(deadline: .seconds(4)))
      let start = ContinuousClock.now
      try await taker.take(1)[0].nak(after: .milliseconds(700))
      #expect(try await taker.take(2)[1].attempt == 2)
      #expect(start.duration(to: .now) >= .milliseconds(690))
    }

    @Test func `A delay above the deadline is cut to it`() async throws {
      try await redis.publish(0..<1, to: "s")
      let taker = Taker(deliveries(deadline: .seconds(3)))
      try await taker.take(1)[0].nak(after: .seconds(86_400))
      #expect(try await taker.take(2)[1].attempt == 2)
    }

    @Test func `What is terminated does not come again, and stays in the stream`() async throws {
      try await redis.publish(0..<1, to: "s")
      let taker = Taker(deliveries())
      try await taker.take(1)[0].terminate()
      #expect(try await redis.pending("s") == 0)
      #expect(try await redis.length(of: "s") == 1)
    }

    @Test func `A delivery can be settled once`() async throws {
      try await redis.publish(0..<1, to: "s")
      let taker = Taker(deliveries())
      let delivery = try await taker.take(1)[0]
      try await delivery.ack()
      for settle in [delivery.ack, { try await delivery.nak(after: nil) }, delivery.terminate, delivery.extend] {
        do {
          try await settle()
          Issue.record("It has been settled twice.")
        } catch {
          #expect((error as? DeliveryError)?.reason == .settled)
        }
      }
    }

    @Test func `Two consumers share the work`() async throws {
      let takers = ["a", "b"].map { Taker(deliveries($0, batch: 1...8)) }
      try await redis.publish(0..<400, to: "s")
      #expect(await reached { takers.map(\.deliveries.count).reduce(0, +) >= 400 })
      let all = takers.flatMap(\.deliveries)
      #expect(all.map(\.number).sorted() == Array(0..<400) && all.allSatisfy { $0.attempt == 1 })
      // All at once, so that they are sent together.
      await withThrowingTaskGroup(of: Void.self) { group in
        for delivery in all { group.addTask { try await delivery.ack() } }
      }
      #expect(try await redis.pending("s") == 0)
    }

    @Test func `What a consumer had that has died comes to the others`() async throws {
      try await redis.publish(0..<5, to: "s")
      let dying = try await server.connect()
      _ = try await dying.send("XREADGROUP", "GROUP", "g", "dead", "COUNT", "3", "STREAMS", "s", ">")
      dying.close()
      let taker = Taker(deliveries("alive", deadline: .milliseconds(500)), demand: .max(5))
      let all = try await taker.take(5)
      #expect(all.map(\.number).sorted() == [0, 1, 2, 3, 4])
      #expect(all.filter { $0.attempt == 2 }.map(\.number).sorted() == [0, 1, 2])
      let (summary, alive) = (try await redis.send("XPENDING", "s", "g"), RedisReply.bytes(Array("alive".utf8)))
      #expect(summary.array.last?.array.map { $0.array.first } == [alive])
    }

    @Test func `Work that fails is tried again, and set aside when it was tried too often`() async throws {
      try await redis.publish(0..<20, to: "s")
      let tries = Locked<[Int: Int]>([:])
      struct Poison: Error {}
      let results = deliveries(deadline: .seconds(60))
        .deadLetter(after: 3) { [redis] delivery in try await redis.publish(delivery.payload, to: "dead") }
        .acknowledged(maxTasks: .max(4), onFailure: { _, _ in .nak() }) { delivery in
          tries.change { $0[delivery.number, default: 0] += 1 }
          if delivery.number % 10 == 7 { throw Poison() }
          return delivery.number
        }
      let done = Locked<[Int]>([])
      let cancellable = results.sink { _ in
      } receiveValue: { number in
        done.change { $0.append(number) }
      }
      #expect(try await reached { try await redis.length(of: "dead") == 2 && done.value.count == 18 })
      #expect(try await reached { try await redis.pending("s") == 0 })
      #expect(tries.value.values.sorted() == Array(repeating: 1, count: 18) + [3, 3])
      cancellable.cancel()
    }

    @Test func `What is given back as not tried comes again at once, as the same attempt`() async throws {
      try await redis.publish(0..<1, to: "s")
      let taker = Taker(deliveries(deadline: .seconds(3_600)))
      try await taker.take(1)[0].giveBack()
      let again = try await taker.take(2)[1]
      #expect(again.attempt == 1)
      try await again.nak(after: nil)
      let second = try await taker.take(3)[2]
      #expect(second.attempt == 2)
      try await second.giveBack()
      let last = try await taker.take(4)[3]
      #expect(last.attempt == 2)
      try await last.ack()
      #expect(try await reached { try await redis.pending("s") == 0 })
    }

    @Test func `An entry that another program has added has all fields, and no payload`() async throws {
      _ = try await redis.send("XADD", "s", "5-1", "kind", "tea", "cups", "2")
      let taker = Taker(deliveries())
      let delivery = try await taker.take(1)[0]
      #expect(delivery.payload.isEmpty && delivery.headers == ["kind": "tea", "cups": "2"])
      #expect(delivery.id == RedisEntryID(milliseconds: 5, sequence: 1) && delivery.age > .seconds(1_000_000))
    }

    @Test func `What has been trimmed while it was pending is gone, and disturbs nothing`() async throws {
      try await redis.publish(0..<3, to: "s")
      let taker = Taker(deliveries(deadline: .milliseconds(300)), demand: .max(4))
      _ = try await taker.take(3)
      _ = try await redis.send("XTRIM", "s", "MAXLEN", "1")
      #expect(try await taker.take(4)[3].attempt == 2)
      #expect(try await redis.pending("s") == 1)
    }
  }
#endif
