// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct DeliveryFaultTests {
    private func quick(_ options: inout NATSDeliveryOptions) {
      options.expires = .seconds(2)
      options.heartbeat = .milliseconds(200)
    }

    private var patient: NATSOptions {
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      options.requestTimeout = .seconds(2)
      return options
    }

    @Test func `What is not there is a typed failure`() async throws {
      let stand = try await Stand()
      func failure(_ stream: String, _ consumer: String) async -> NATSError? {
        let probe = Probe<NATSDelivery, NATSError>()
        stand.connection.deliveries(stream: stream, consumer: consumer).subscribe(probe)
        return await probe.failure()
      }
      let none = await failure("NOWHERE", "worker")
      #expect(none?.reason == .streamNotFound && none?.code == 10059)
      let nobody = await failure(stand.stream, "nobody")
      #expect(nobody?.reason == .consumerNotFound && nobody?.code == 10014)
      #expect(await error { _ = try await stand.connection.streamInfo("NOWHERE") }?.reason == .streamNotFound)
      #expect(
        await error { try await stand.connection.deleteConsumer("x", stream: stand.stream) }?.reason
          == .consumerNotFound)
      var other = StreamConfiguration(stand.stream, subjects: ["\(stand.stream).other"])
      other.storage = .memory
      #expect(await error { try await stand.connection.createStream(other) }?.reason == .nameInUse)
    }

    @Test func `A consumer that acknowledges none or all at a time is refused`() async throws {
      let stand = try await Stand()
      for policy in [ConsumerConfiguration.AckPolicy.none, .all] {
        var configuration = ConsumerConfiguration("other\(policy)")
        configuration.ackPolicy = policy
        if policy == .none { configuration.maxAckPending = nil }
        try await stand.connection.createConsumer(configuration, stream: stand.stream)
        let probe = Probe<NATSDelivery, NATSError>()
        stand.connection.deliveries(stream: stand.stream, consumer: configuration.durableName).subscribe(probe)
        #expect(await probe.failure()?.reason == .refused)
      }
    }

    @Test func `What asks for more than a consumer allows is told so`() async throws {
      let stand = try await Stand { $0.maxWaiting = 1 }
      let probes = [Probe<NATSDelivery, NATSError>(demand: .max(1)), Probe(demand: .max(1))]
      // The second request is refused until there is room for it: it waits, and is made again.
      for probe in probes { stand.deliveries(quick).subscribe(probe) }
      #expect(try await becomes { try await stand.info().waiting == 1 })
      try await stand.publish(1...2)
      #expect(await reached { probes[0].count == 1 && probes[1].count == 1 })
      for probe in probes { probe.cancel() }
    }

    @Test func `A deleted consumer is a failure, with or without word from the server`() async throws {
      let stand = try await Stand()
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries(quick).subscribe(probe)
      #expect(try await becomes { try await stand.info().waiting == 1 })
      try await stand.connection.deleteConsumer("worker", stream: stand.stream)
      #expect(await probe.failure(within: .seconds(20))?.reason == .consumerDeleted)
      // While nothing is asked for, the server is silent.
      try await stand.connection.createConsumer(ConsumerConfiguration("worker"), stream: stand.stream)
      let later = Probe<NATSDelivery, NATSError>(demand: .max(1))
      stand.deliveries(quick).subscribe(later)
      try await stand.publish(1...1)
      _ = await later.values(1)
      try await stand.connection.deleteConsumer("worker", stream: stand.stream)
      later.request(1)
      #expect(await later.failure(within: .seconds(20))?.reason == .consumerDeleted)
    }

    @Test func `After a restart of the server everything comes that was confirmed`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let stand = try await Stand(on: server, options: patient) {
        $0.ackWait = .seconds(2); $0.maxAckPending = nil
      }
      let seen = Locked<[String: Int]>([:])
      let deliveries = stand.deliveries(batch: 1...16, quick)
      let results = deliveries.acknowledged(maxTasks: .max(4)) { delivery in
        seen.change { $0[delivery.text, default: 0] += 1 }
        return delivery.text
      }
      let probe = Probe<String, NATSError>()
      results.subscribe(probe)
      let confirmed = Locked<Set<String>>([])
      let publishing = Task {
        for number in 1...600 {
          do {
            let kept = try await stand.connection.publishConfirmed(
              bytes("\(number)"), to: "\(stand.stream).n", id: "id \(number)", attempts: 20, timeout: .milliseconds(500)
            )
            #expect(kept.stream == stand.stream)
            confirmed.change { _ = $0.insert("\(number)") }
          } catch {
            Issue.record(error)
          }
        }
      }
      for _ in 0..<2 {
        let count = seen.value.count
        #expect(await reached { seen.value.count >= count + 100 })
        server.kill()
        try await server.start()
      }
      await publishing.value
      #expect(confirmed.value.count == 600)
      #expect(await reached { seen.value.count == 600 }, "\(seen.value.count) of 600")
      #expect(try await stand.connection.streamInfo(stand.stream).state.messages == 600)
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      // While messages came, all requested ones may have arrived by the time the server was killed; now the server has
      // the demand.
      #expect(await reached { deliveries.counts.credit > 0 })
      let lost = deliveries.counts.lostCredit
      server.kill()
      #expect(await reached { deliveries.counts.lostCredit > lost })
      probe.cancel()
    }

    @Test func `A server that stands still is noticed by its heartbeats`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      // Pings would not notice it in time.
      let stand = try await Stand(on: server, options: patient)
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(10))
      let deliveries = stand.deliveries(quick)
      deliveries.subscribe(probe)
      #expect(try await becomes { try await stand.info().waiting == 1 })
      server.signal(SIGSTOP)
      #expect(await reached(within: .seconds(10)) { deliveries.counts.lostCredit == 10 })
      server.signal(SIGCONT)
      #expect(await reached { deliveries.counts.credit == 10 })
      try await stand.publish(1...12)
      #expect(await probe.values(10).count == 10)
      #expect(try await stand.info().pending == 2 && probe.isLawful)
      probe.cancel()
    }

    @Test func `An outage that is too long is a failure, and the same consumer serves again afterwards`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let stand = try await Stand(on: server, options: patient)
      try await stand.publish(1...3)
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries {
        quick(&$0)
        $0.failsAfter = .milliseconds(600)
      }.subscribe(probe)
      for delivery in await probe.values(3) { try await delivery.ack() }
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      server.kill()
      #expect(await probe.failure(within: .seconds(20))?.reason == .outage)
      try await server.start()
      #expect(await reached { stand.connection.isConnected })
      try await stand.publish(4...4)
      let again = Probe<NATSDelivery, NATSError>()
      stand.deliveries(quick).subscribe(again)
      // A server that is killed may forget the last acknowledgements: their messages come again.
      #expect(await reached { again.values.contains { $0.text == "4" } })
      again.cancel()
    }

    @Test func `An outage while nothing is asked for is no failure`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let stand = try await Stand(on: server, options: patient)
      try await stand.publish(1...2)
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(1))
      stand.deliveries {
        quick(&$0)
        $0.failsAfter = .milliseconds(300)
      }.subscribe(probe)
      _ = await probe.values(1)
      server.kill()
      #expect(await reached { !stand.connection.isConnected })
      // Longer than the limit, by the clock of the watch.
      try await ContinuousClock().sleep(for: .milliseconds(700))
      try await server.start()
      #expect(await reached { stand.connection.isConnected })
      probe.request(1)
      #expect(await probe.values(2).count == 2)
      probe.cancel()
    }

    @Test func `A stream that begins during an outage waits for its end`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let stand = try await Stand(on: server, options: patient)
      try await stand.publish(1...1)
      server.kill()
      #expect(await reached { !stand.connection.isConnected })
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries(quick).subscribe(probe)
      try await server.start()
      #expect(await probe.values(1).map(\.text) == ["1"])
      probe.cancel()
      await stand.connection.drain(within: .milliseconds(100))
      let late = Probe<NATSDelivery, NATSError>()
      stand.deliveries(quick).subscribe(late)
      #expect(await late.failure()?.reason == .closed)
    }

    @Test func `A closed connection is a failure`() async throws {
      let stand = try await Stand()
      let connection = try await NATSConnection.connect(to: [stand.server.address])
      try await stand.publish(1...1)
      let probe = Probe<NATSDelivery, NATSError>()
      connection.deliveries(stream: stand.stream, consumer: "worker").subscribe(probe)
      let delivery = await probe.values(1)[0]
      connection.close()
      #expect(await probe.failure()?.reason == .closed)
      do throws(DeliveryError) {
        try await delivery.ack()
        Issue.record("It can't be acknowledged")
      } catch {
        #expect(error.reason == .closed)
      }
    }

    @Test func `A server without JetStream is a typed error`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = NATSOptions()
      options.jetStreamPrefix = "$JS.elsewhere.API"
      options.requestTimeout = .seconds(10)
      let connection = try await NATSConnection.connect(to: [server.address], options: options)
      #expect(await error { _ = try await connection.streamInfo("S") }?.reason == .jetStreamUnavailable)
      #expect(
        await error { try await connection.publishConfirmed([], to: "none", attempts: 2) }?.reason == .noResponders)
    }
  }
#endif
