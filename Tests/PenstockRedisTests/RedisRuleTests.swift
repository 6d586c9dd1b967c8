// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import PenstockConcurrency
  import PenstockCore
  import PenstockDeliveryTesting
  import PenstockRedis
  import TestSupport
  import Testing

  /// A stream of a server, as the rules of deliveries see it.
  private struct RedisEngine: DeliveryEngine {
    private let deadline: Duration
    private let server: RedisServer
    private let redis: RedisConnection
    /// A connection that is not drained.
    private let watch: RedisConnection
    private let outageLimit: Duration
    private let consumers = Names()
    private let publishers = Locked<[RedisDeliveries]>([])

    init(_ configuration: DeliveryEngineConfiguration) async throws {
      (deadline, outageLimit) = (configuration.deadline, configuration.outageLimit)
      server = try await RedisServer("--appendonly", "yes", "--appendfsync", "always")
      redis = try await server.connect()
      watch = try await server.connect()
      try await redis.makeGroup(stream: "s", group: "g")
    }

    func publish(_ texts: [String], headers: [String: String]) async throws {
      for text in texts { try await redis.publish(Array(text.utf8), to: "s", headers: headers) }
    }

    func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> RedisDeliveries {
      var options = RedisDeliveryOptions()
      options.failsAfter = outageLimit
      let publisher = redis.deliveries(
        stream: "s", group: "g", consumer: consumers.next(), deadline: deadline, batch: batch, refillAt: lowMark,
        options: options)
      publishers.change { $0.append(publisher) }
      return publisher
    }

    func text(of item: RedisDelivery) -> String { item.text }

    /// For the server, entries that have been given back are pending as well, for longer than the deadline.
    func unsettledCount() async throws -> Int {
      let limit = Int(deadline / .milliseconds(1))
      return try await watch.send("XPENDING", "s", "g", "-", "+", "1000").array
        .count { ($0.array[2].integer ?? 0) < limit }
    }

    func retainedCount() async throws -> Int {
      let group = try await watch.group("g", of: "s")
      return (group.waiting ?? 0) + group.pending
    }

    var capabilities: DeliveryCapabilities { .all }

    func creditCounts() -> [CreditCounts] { publishers.value.map(\.counts) }

    func drain() async { await redis.drain() }

    func publish(
      _ texts: AnyPublisher<String, Never>, maxInFlight: Int, withMessageIDs: Bool
    ) async throws -> StreamCounts {
      let writer = redis.streamSubscriber(to: "s", failure: Never.self, maxInFlight: maxInFlight) { text in
        StreamMessage(Array(text.utf8), id: withMessageIDs ? text : nil)
      }
      texts.subscribe(writer)
      try await writer.finished()
      return writer.counts
    }

    func stopServer() { server.stop() }

    func startServer() async throws { try await server.start() }

    func isOutage(_ failure: RedisError) -> Bool { failure.reason == .outage }

    func close() {
      redis.close()
      watch.close()
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
    @Test(arguments: DeliveryRule.all)
    func `A stream of Redis keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
      var verification = DeliveryVerification("Redis") { try await RedisEngine($0) }
      verification.timeLimit = .seconds(300)
      try await verification.check(rule)
    }
  }
#endif
