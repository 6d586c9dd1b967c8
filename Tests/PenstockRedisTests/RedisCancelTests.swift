// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import PenstockConcurrency
  import PenstockRedis
  import TestSupport
  import Testing

  @Suite(.withRedis) struct RedisCancelTests {
    let server: RedisServer
    let redis: RedisConnection

    init() async throws {
      server = try await RedisServer()
      redis = try await server.connect()
      try await redis.makeGroup(stream: "s", group: "g")
    }

    func deliveries(batch: ClosedRange<Int> = 1...64, refillAt lowMark: Int? = nil)
      -> some Publisher<RedisDelivery, RedisError> & Sendable
    {
      redis.deliveries(
        stream: "s", group: "g", consumer: "w", deadline: .seconds(600), batch: batch, refillAt: lowMark)
    }

    @Test func `Who requests nothing has no connection, and leaves nothing behind`() async throws {
      let taker = Taker(deliveries(), demand: nil)
      #expect(try await redis.clients() == 1)
      taker.cancel()
      #expect(try await redis.clients() == 1 && server.threads == 1)
    }

    @Test func `A cancel ends the waiting read, and its connection`() async throws {
      let taker = Taker(deliveries())
      #expect(try await reached { try await redis.hasWaiter() })
      taker.cancel()
      #expect(try await reached { try await redis.clients() == 1 && server.threads == 1 })
      #expect(try await redis.hasUnblocked())
    }

    @Test func `What is read ahead is given back by a cancel, as if it had not been tried`() async throws {
      try await redis.publish(0..<6, to: "s")
      let first = Taker(deliveries(batch: 1...4, refillAt: 0), demand: .max(1))
      let kept = try await first.take(1)
      #expect(try await reached { try await redis.pending("s") == 4 })
      first.cancel()
      let second = Taker(deliveries())
      let others = try await second.take(5)
      #expect((kept + others).map(\.number).sorted() == [0, 1, 2, 3, 4, 5])
      #expect(others.allSatisfy { $0.attempt == 1 })
    }

    @Test func `Nothing is stuck, whenever a cancel comes`() async throws {
      let count = 300
      let seen = Locked<[Int]>([])
      let publishing = Task { try await redis.publish(0..<count, to: "s") }
      var randomness = SeededGenerator(seed: 4)
      for round in 0..<40 {
        let demand = Subscribers.Demand.max(Int.random(in: 1...9, using: &randomness))
        let recorder = Recorder<RedisDelivery, RedisError>(demand: demand)
        recorder.onValue = { delivery in
          seen.change { $0.append(delivery.number) }
          Task { try await delivery.ack() }
          return .none
        }
        deliveries(batch: 1...8, refillAt: round % 2 == 0 ? 2 : nil).subscribe(recorder)
        for _ in 0..<Int.random(in: 0...400, using: &randomness) { await Task.yield() }
        recorder.cancel()
      }
      try await publishing.value
      let rest = Taker(deliveries())
      #expect(await reached { seen.value.count + rest.deliveries.count >= count })
      #expect((seen.value + rest.deliveries.map(\.number)).sorted() == Array(0..<count))
      for delivery in rest.deliveries { try await delivery.ack() }
      #expect(try await reached { try await redis.pending("s") == 0 })
    }

    @Test func `Work that is cancelled gives its delivery back`() async throws {
      try await redis.publish(0..<1, to: "s")
      let isWorking = Locked(false)
      let cancellable = deliveries().acknowledged { _ in
        isWorking.change { $0 = true }
        // Nothing comes until the cancel.
        for await _ in Empty<Never, Never>(completeImmediately: false).values {}
        try Task.checkCancellation()
      }.sink { _ in
      } receiveValue: { _ in
      }
      #expect(await reached { isWorking.value })
      cancellable.cancel()
      let taker = Taker(deliveries())
      #expect(try await taker.take(1)[0].attempt == 2)
    }
  }
#endif
