// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import DeliveryRules
  import PenstockConcurrency
  import PenstockCore
  import PenstockRedis
  import TestSupport
  import Testing

  /// A stream of a server, as the rules of deliveries see it.
  private struct RedisEngine: DeliveryEngine {
    let deadline: Duration
    private let redis: RedisConnection
    private let consumers = Names()

    init(_ redis: RedisConnection, deadline: Duration) async throws {
      (self.redis, self.deadline) = (redis, deadline)
      try await redis.makeGroup(stream: "s", group: "g")
    }

    func publish(_ texts: [String], headers: [String: String]) async throws {
      for text in texts { try await redis.publish(Array(text.utf8), to: "s", headers: headers) }
    }

    func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> AnyPublisher<RedisDelivery, RedisError> {
      redis.deliveries(
        stream: "s", group: "g", consumer: consumers.next(), deadline: deadline, batch: batch, refillAt: lowMark
      ).eraseToAnyPublisher()
    }

    func text(of item: RedisDelivery) -> String { item.text }

    /// For the server, entries that have been given back are pending as well, for longer than the deadline.
    func unsettled() async throws -> Int {
      let limit = Int(deadline / .milliseconds(1))
      return try await redis.send("XPENDING", "s", "g", "-", "+", "1000").array
        .count { ($0.array[2].integer ?? 0) < limit }
    }

    func kept() async throws -> Int {
      let group = try await redis.group("g", of: "s")
      return (group.waiting ?? 0) + group.pending
    }
  }

  /// Names that differ.
  private final class Names: Sendable {
    private let count = Locked(0)

    func next() -> String {
      let number = count.change { count in
        count += 1
        return count
      }
      return "c\(number)"
    }
  }

  @Suite(.withRedis) struct RedisRuleTests {
    @Test(arguments: DeliveryRule.allCases)
    func `A stream of Redis keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
      let server = try await RedisServer()
      let redis = try await server.connect()
      try await rule.check(RedisEngine(redis, deadline: rule.deadline(short: .seconds(3))))
      redis.close()
    }
  }
#endif
