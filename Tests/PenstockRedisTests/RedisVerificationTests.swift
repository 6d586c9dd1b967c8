// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import DeliveryFaults
  import PenstockConcurrency
  import PenstockRedis
  import PenstockTesting
  import TestSupport
  import Testing

  /// The rules of streams.
  ///
  /// Links have threads, which a copy of the process would not have.
  @Suite(.serialized, .withRedis) struct RedisVerificationTests {
    @Test func `Deliveries keep the rules of publishers`() async throws {
      let server = try await RedisServer()
      let names = Locked(0)
      let verification = PublisherVerification("deliveries").traits(.shared)
        .finite { count in
          let stream = "s\(names.change { number in number += 1; return number })"
          let redis = waiting {
            // The end of the connection shows after half of that.
            let redis = try await server.connect(timeout: .seconds(1))
            try await redis.makeGroup(stream: stream, group: "g")
            for number in 0..<count { try await redis.publish(Array("\(number)".utf8), to: stream) }
            return redis
          }
          // A stream of Redis has no end except that of the connection.
          return EndlessSubject(count) { redis.close() }
            .driven { redis.deliveries(stream: stream, group: "g", consumer: "w", batch: 1...4).map(\.text) }
        }
        .failing {
          let redis = waiting { try await server.connect() }
          return EndlessSubject(.max)
            .driven { redis.deliveries(stream: "nowhere", group: "g", consumer: "w").map(\.text) }
        }
        .waiving(
          "P-07", because: "nothing is read without demand, so that the end of the connection shows with a request"
        )
        .inProcess()
      await judge(verification)
      withExtendedLifetime(server) {}
    }

    @Test func `Who adds entries keeps the rules of subscribers`() async throws {
      let server = try await RedisServer()
      let redis = try await server.connect()
      let verification = SubscriberVerification(
        "streamSubscriber", input: { $0 }, failure: { VerificationError.failed }
      ) {
        redis.streamSubscriber(to: "s", failure: VerificationError.self, maxInFlight: 4) { (number: Int) in
          StreamMessage(Array("\(number)".utf8))
        }
      }
      .cancelling { $0.cancel() }.inProcess()
      await judge(verification)
      redis.close()
    }
  }
#endif
