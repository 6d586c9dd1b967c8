// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockConcurrency
  import PenstockNATS
  import PenstockOperators
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct DeliveryRecoveryTests {
    private func quick(_ options: inout NATSDeliveryOptions) {
      options.expires = .seconds(2)
      options.heartbeat = .milliseconds(150)
    }

    @Test func `Without demand there is nothing to lose`() async throws {
      let stand = try await Stand()
      let deliveries = stand.deliveries(quick)
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(1))
      deliveries.subscribe(probe)
      for number in 1...3 {
        try await stand.publish(number...number)
        _ = await probe.values(number)
        // Several heartbeats, by the watch's own clock, in which nothing has been asked for.
        try await ContinuousClock().sleep(for: .milliseconds(600))
        probe.request(1)
        #expect(await reached { deliveries.counts.credit == 1 })
        #expect(deliveries.counts.lostCredit == 0 && deliveries.counts.asked == number + 1)
      }
      probe.cancel()
    }

    @Test func `With defaults a connection outlasts an outage, and a stream that has failed is subscribed to again`()
      async throws
    {
      #expect(NATSOptions().reconnectLimit == nil)
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(20)
      let stand = try await Stand(on: server, options: options)
      let (outages, probe) = (Locked(0), Probe<String, NATSError>())
      stand.deliveries {
        quick(&$0)
        $0.failsAfter = .milliseconds(300)
      }
      .handleEvents(receiveCompletion: { _ in outages.change { $0 += 1 } })
      .retry(.max, delay: .milliseconds(50), scheduler: TaskScheduler())
      .acknowledged { $0.text }
      .subscribe(probe)
      try await stand.publish(1...1)
      _ = await probe.values(1)
      server.kill()
      // Twice, longer than the stream tolerates.
      #expect(await reached { outages.value >= 2 })
      #expect(!stand.connection.isConnected)
      try await server.start()
      #expect(try await becomes { (try? await stand.publish(2...2)) != nil })
      #expect(await reached { probe.values.contains("2") })
      probe.cancel()
      stand.connection.close()
    }

    @Test func `What is read ahead and given back has not been tried, and is not set aside`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...40)
      let (dead, tried) = (Locked(0), Locked<[Int]>([]))
      for _ in 0..<12 {
        let one = stand.deliveries(batch: 1...40, refillAt: 20)
          .deadLetter(after: 5) { _ in dead.change { $0 += 1 } }
          .acknowledged { delivery in tried.change { $0.append(delivery.attempt) } }
          .prefix(1)
        for try await _ in one.values {}
      }
      #expect(dead.value == 0 && tried.value.count >= 12 && tried.value.allSatisfy { $0 <= 2 })
    }

    @Test func `What is set aside is in another stream, with where it came from`() async throws {
      let stand = try await Stand()
      let dead = uniqueName("D")
      try await stand.connection.createStream(StreamConfiguration(dead, subjects: ["\(dead).>"]))
      try await stand.connection.createConsumer(ConsumerConfiguration("reader"), stream: dead)
      try await stand.connection.publishConfirmed(
        bytes("poison"), to: "\(stand.stream).n", id: "order-7", headers: ["Colour": "blue"])
      let work = Probe<Void, NATSError>()
      stand.deliveries(quick).sendable.deadLetter(after: 2, to: "\(dead).orders", of: stand.connection).publisher
        .acknowledged(onFailure: { _, _ in .nak() }) { _ in throw DeliveryError(.refused, "poison") }
        .subscribe(work)
      let probe = Probe<NATSDelivery, NATSError>()
      stand.connection.deliveries(stream: dead, consumer: "reader").subscribe(probe)
      let letter = await probe.values(1)[0]
      #expect(letter.text == "poison" && letter.subject == "\(dead).orders" && letter.headers["Colour"] == "blue")
      #expect(letter.headers["Penstock-Subject"] == "\(stand.stream).n" && letter.headers["Penstock-Attempts"] == "2")
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      work.cancel()
      probe.cancel()
    }

    @Test func `What comes for the last time is set aside, with whatever limit`() async throws {
      let stand = try await Stand { $0.maxDeliver = 3 }
      try await stand.publish(1...3)
      let (dead, tries) = (Locked<[String]>([]), Locked(0))
      let probe = Probe<String, NATSError>()
      stand.deliveries(quick).deadLetter(after: 3) { delivery in dead.change { $0.append(delivery.text) } }
        .acknowledged(onFailure: { _, _ in .nak() }) { delivery -> String in
          tries.change { $0 += 1 }
          if delivery.text != "2" { throw DeliveryError(.refused, "poison") }
          return delivery.text
        }
        .subscribe(probe)
      #expect(await reached { dead.value.count == 2 })
      #expect(Set(dead.value) == ["1", "3"] && tries.value == 5 && probe.values == ["2"])
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      probe.cancel()
    }

    @Test func `A change of the deadline is noticed`() async throws {
      let stand = try await Stand { $0.ackWait = .seconds(40) }
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(1))
      stand.deliveries(quick).subscribe(probe)
      try await stand.publish(1...1)
      #expect(await probe.values(1)[0].deadline == .seconds(40))
      var configuration = try await stand.info().configuration
      configuration.ackWait = .seconds(20)
      try await stand.connection.updateConsumer(configuration, stream: stand.stream)
      // It is looked up with each inbox, and now and then in between.
      probe.cancel()
      let other = Probe<NATSDelivery, NATSError>(demand: .max(1))
      stand.deliveries(quick).subscribe(other)
      try await stand.publish(2...2)
      #expect(await other.values(1)[0].deadline == .seconds(20))
      other.cancel()
    }
  }
#endif
