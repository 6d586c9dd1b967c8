// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import DeliveryRules
  import PenstockConcurrency
  import PenstockCore
  import PenstockNATS
  import TestSupport
  import Testing

  /// A stream of a server with a durable consumer, as the rules of deliveries see it.
  private struct NATSEngine: DeliveryEngine {
    private static let count = Locked(0)

    let deadline: Duration
    private let nats: NATSConnection
    private let name: String
    private let publishers = Locked<[NATSDeliveries]>([])

    init(_ nats: NATSConnection, deadline: Duration) async throws {
      (self.nats, self.deadline) = (nats, deadline)
      let number = Self.count.change { count in
        count += 1
        return count
      }
      name = "RULE\(number)"
      var stream = StreamConfiguration(name, subjects: [name])
      stream.storage = .memory
      _ = try await nats.createStream(stream)
      var consumer = ConsumerConfiguration("c")
      consumer.ackWait = deadline
      _ = try await nats.createConsumer(consumer, stream: name)
    }

    func publish(_ texts: [String], headers: [String: String]) async throws {
      for text in texts { _ = try await nats.publishConfirmed(Array(text.utf8), to: name, headers: headers) }
    }

    func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> AnyPublisher<NATSDelivery, NATSError> {
      let publisher = nats.deliveries(stream: name, consumer: "c", batch: batch, refillAt: lowMark)
      publishers.change { $0.append(publisher) }
      return publisher.eraseToAnyPublisher()
    }

    func text(of item: NATSDelivery) -> String { item.text }

    /// Returns the number of unsettled deliveries, as far as both sides know.
    ///
    /// For the server, a delivery that has been given back is unsettled until it has been delivered again; for the
    /// adapter, an expired one is. A delivery that either of them calls settled is settled.
    func unsettled() async throws -> Int {
      let info = try await nats.consumerInfo("c", stream: name)
      return min(info.unsettled, publishers.value.reduce(0) { $0 + $1.counts.inFlight })
    }

    func kept() async throws -> Int {
      let info = try await nats.consumerInfo("c", stream: name)
      return info.unsettled + info.pending
    }
  }

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct DeliveryRuleTests {
    @Test(arguments: DeliveryRule.allCases)
    func `A stream of NATS keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
      let server = try await NATSServer.shared()
      let nats = try await NATSConnection.connect(to: [server.address])
      try await rule.check(NATSEngine(nats, deadline: rule.deadline(short: .seconds(3))))
      nats.close()
    }
  }
#endif
