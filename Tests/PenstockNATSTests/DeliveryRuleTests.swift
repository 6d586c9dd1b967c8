// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockConcurrency
  import PenstockCore
  import PenstockDeliveryTesting
  import PenstockNATS
  import TestSupport
  import Testing

  /// A stream of a server with a durable consumer, as the rules of deliveries see it.
  private struct NATSEngine: DeliveryEngine {
    private static let count = Locked(0)

    private let server: NATSServer
    private let nats: NATSConnection
    /// A connection that is not drained.
    private let watch: NATSConnection
    private let ownServer: NATSServer?
    private let outageLimit: Duration
    private let name: String
    private let publishers = Locked<[NATSDeliveries]>([])

    init(_ configuration: DeliveryEngineConfiguration) async throws {
      ownServer = configuration.needsOwnServer ? try await NATSServer.start() : nil
      if let ownServer { server = ownServer } else { server = try await NATSServer.shared() }
      outageLimit = configuration.outageLimit
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      nats = try await NATSConnection.connect(to: [server.address], options: options)
      watch = try await NATSConnection.connect(to: [server.address], options: options)
      let number = Self.count.change { count in
        count += 1
        return count
      }
      name = "RULE\(number)"
      let stream = StreamConfiguration(name, subjects: [name])
      _ = try await nats.createStream(stream)
      var consumer = ConsumerConfiguration("c")
      consumer.ackWait = configuration.deadline
      _ = try await nats.createConsumer(consumer, stream: name)
    }

    func publish(_ texts: [String], headers: [String: String]) async throws {
      for text in texts { _ = try await nats.publishConfirmed(Array(text.utf8), to: name, headers: headers) }
    }

    func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> NATSDeliveries {
      var options = NATSDeliveryOptions()
      options.failsAfter = outageLimit
      let publisher = nats.deliveries(
        stream: name, consumer: "c", batch: batch, refillAt: lowMark, options: options)
      publishers.change { $0.append(publisher) }
      return publisher
    }

    func text(of item: NATSDelivery) -> String { item.text }

    /// Returns the number of unsettled deliveries, as far as both sides know.
    ///
    /// For the server, a delivery that has been given back is unsettled until it has been delivered again; for the
    /// adapter, an expired one is. A delivery that either of them calls settled is settled.
    func unsettledCount() async throws -> Int {
      let info = try await watch.consumerInfo("c", stream: name)
      return min(info.unsettled, publishers.value.reduce(0) { $0 + $1.counts.inFlight })
    }

    func retainedCount() async throws -> Int {
      let info = try await watch.consumerInfo("c", stream: name)
      return info.unsettled + info.pending
    }

    var capabilities: DeliveryCapabilities { .all }

    func creditCounts() -> [CreditCounts] { publishers.value.map(\.counts) }

    func drain() async { await nats.drain() }

    func publish(
      _ texts: AnyPublisher<String, Never>, maxInFlight: Int, withMessageIDs: Bool
    ) async throws -> StreamCounts {
      let writer = nats.streamSubscriber(to: name, failure: Never.self, maxInFlight: maxInFlight) { text in
        StreamMessage(bytes(text), id: withMessageIDs ? text : nil)
      }
      texts.subscribe(writer)
      try await writer.finished()
      return writer.counts
    }

    func stopServer() { server.kill() }

    func startServer() async throws { try await server.start() }

    func isOutage(_ failure: NATSError) -> Bool { failure.reason == .outage }

    func close() {
      nats.close()
      watch.close()
      ownServer?.stop()
    }
  }

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct DeliveryRuleTests {
    @Test(arguments: DeliveryRule.all)
    func `A stream of NATS keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
      var verification = DeliveryVerification("NATS") { try await NATSEngine($0) }
      verification.timeLimit = .seconds(300)
      try await verification.check(rule)
    }
  }
#endif
