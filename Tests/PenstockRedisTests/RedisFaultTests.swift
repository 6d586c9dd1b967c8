// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import DeliveryFaults
  import Foundation
  import PenstockConcurrency
  import PenstockRedis
  import TestSupport
  import Testing

  /// The parts that are taken down, and brought back, while values flow.
  enum RedisFault: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case swallowed = "the network swallows everything"
    case cut = "the network is cut"
    case paused = "the server stands still"
    case killed = "the server is killed"

    var testDescription: String { rawValue }
  }

  /// One after the other, since they measure time.
  @Suite(.serialized, .withRedis) struct RedisFaultTests {
    @Test(arguments: RedisFault.allCases)
    func `Nothing that was confirmed is missing, and what was not acknowledged comes again`(
      _ fault: RedisFault
    ) async throws {
      let server = try await RedisServer("--appendonly", "yes", "--appendfsync", "always")
      let proxy = LoopbackProxy(to: server.port)
      defer { proxy.stop() }
      // A server that is silent for longer counts as lost.
      let redis = try await RedisConnection.connect(port: proxy.port, timeout: .seconds(1))
      defer { redis.close() }
      try await redis.makeGroup(stream: "s", group: "g")
      let load = FaultLoad()
      defer { load.stop() }
      load.work { worker in
        redis.deliveries(
          stream: "s", group: "g", consumer: "w\(worker)", deadline: .seconds(1), batch: 1...32, refillAt: 8)
      }
      load.publish { number in try await redis.publish(Array("\(number)".utf8), to: "s") }
      var rounds: [FaultFigures.Round] = []
      for _ in 0..<FaultSettings.rounds {
        let failures = load.failures
        let length = fault == .killed ? .zero : FaultSettings.length
        rounds.append(
          try await load.round(lasting: length) {
            switch fault {
            case .swallowed: proxy.set(.swallowed)
            case .cut: proxy.set(.cut)
            case .paused: server.pause()
            case .killed: server.stop()
            }
          } noticedBy: {
            !redis.isConnected || load.failures > failures
          } _: {
            switch fault {
            case .swallowed, .cut: proxy.set(.open)
            case .paused: server.resume()
            case .killed: try await server.start()
            }
          })
        #expect(await reached { redis.isConnected })
      }
      let sums = try await load.finish {
        guard let group = try? await redis.group("g", of: "s") else { return false }
        return group.waiting == 0 && group.pending == 0
      }
      // Only values that were on their way can have been added twice, by a publisher that tries again.
      let twice = try await redis.length(of: "s") - sums.confirmed
      #expect((0...FaultLoad.publishers * 2 * rounds.count).contains(twice), "\(twice)")
      let length = fault == .killed ? "" : ", for \(FaultSettings.length)"
      print(FaultFigures("Redis, \(fault.rawValue)\(length)", rounds, sums))
      print("  \(twice) added twice, by who publishes again what may have been added")
    }
  }

  @Suite(.serialized, .withRedis) struct RedisKilledWorkerTests {
    /// The number of deliveries that a worker acknowledges, and the number of further ones that it has processed when
    /// it is killed, with others of its batch.
    private static let (settled, done) = (10, 5)

    @Test func `What a worker had that is killed comes to another one, and what it had acknowledged does not`()
      async throws
    {
      let server = try await RedisServer("--appendonly", "yes", "--appendfsync", "always")
      let redis = try await server.connect()
      try await redis.makeGroup(stream: "s", group: "g")
      var rounds: [FaultFigures.Round] = []
      var again = 0
      for round in 0..<FaultSettings.rounds {
        let first = round * 100 + 1
        for number in first..<first + 100 { try await redis.publish(Array("\(number)".utf8), to: "s") }
        await #expect(processExitsWith: .signal(SIGKILL)) { [port = server.port as Int] in
          let redis = try await RedisConnection.connect(port: port)
          var count = 0
          for try await delivery in redis.deliveries(
            stream: "s", group: "g", consumer: "dies", deadline: .seconds(1), batch: 32...32, refillAt: 0
          ).values {
            count += 1
            if count <= Self.settled { try await delivery.ack() }
            if count == Self.settled + Self.done { kill(getpid(), SIGKILL) }
          }
        }
        let killed = ContinuousClock.now
        var (numbers, repeated) = (Set<Int>(), 0)
        for try await delivery in redis.deliveries(stream: "s", group: "g", consumer: "lives", deadline: .seconds(1))
          .values
        {
          numbers.insert(delivery.number)
          if delivery.attempt > 1 { repeated += 1 }
          if (first + Self.settled..<first + Self.settled + Self.done).contains(delivery.number) { again += 1 }
          try await delivery.ack()
          if numbers.count == 100 - Self.settled { break }
        }
        #expect(numbers == Set(first + Self.settled..<first + 100))
        // All of its batch.
        #expect(repeated >= 32 - Self.settled)
        #expect(try await reached { try await redis.pending("s") == 0 })
        rounds.append(.init(noticed: nil, recovered: .now - killed, silence: .now - killed))
      }
      print(FaultFigures("Redis, a worker is killed", rounds, .init(confirmed: 100 * rounds.count, again: again)))
    }
  }
#endif
