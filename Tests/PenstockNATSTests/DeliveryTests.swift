// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct DeliveryTests {
    @Test func `Deliveries say what they are`() async throws {
      let stand = try await Stand { $0.ackWait = .seconds(20) }
      try await stand.connection.publishConfirmed(
        bytes("one"), to: "\(stand.stream).a", id: "first", headers: ["Colour": "blue"])
      try await stand.connection.publishConfirmed(bytes("two"), to: "\(stand.stream).b")
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries().subscribe(probe)
      let values = await probe.values(2)
      let first = values[0]
      #expect(first.text == "one" && first.payload == bytes("one") && first.subject == "\(stand.stream).a")
      #expect(first.headers["Colour"] == "blue" && first.headers["Nats-Msg-Id"] == "first")
      #expect(first.attempt == 1 && first.deadline == .seconds(20) && first.age < .seconds(60) && first.age > .zero)
      #expect(first.stream == stand.stream && first.consumer == "worker")
      #expect(values.map(\.sequence) == [1, 2] && values.map(\.pending) == [1, 0])
      for value in values { try await value.ack() }
      #expect(try await becomes { try await stand.info().acknowledged.streamSequence == 2 })
      probe.cancel()
    }

    @Test func `With demand for none the server is asked for nothing, and with demand for three for three`()
      async throws
    {
      let stand = try await Stand()
      try await stand.publish(1...10)
      let probe = Probe<NATSDelivery, NATSError>(demand: .none)
      let deliveries = stand.deliveries()
      deliveries.subscribe(probe)
      try await stand.connection.flush()
      var info = try await stand.info()
      #expect(info.waiting == 0 && info.unsettled == 0 && deliveries.counts == CreditCounts())
      probe.request(3)
      #expect(await probe.values(3).map(\.text) == ["1", "2", "3"])
      info = try await stand.info()
      #expect(info.waiting == 0 && info.unsettled == 3 && info.pending == 7)
      #expect(deliveries.counts.asked == 3 && deliveries.counts.fetched == 3 && deliveries.counts.credit == 0)
      // Nothing is given back, since everything has been delivered.
      probe.cancel()
      #expect(deliveries.counts.inFlight == 3 && probe.isLawful)
    }

    @Test func `Demand that nothing answers is credit at the server`() async throws {
      let stand = try await Stand()
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(5))
      let deliveries = stand.deliveries()
      deliveries.subscribe(probe)
      #expect(try await becomes { try await stand.info().waiting == 1 })
      #expect(deliveries.counts.credit == 5)
      try await stand.publish(1...2)
      #expect(await probe.values(2).count == 2)
      #expect(await reached { deliveries.counts.credit == 3 })
      try await stand.publish(3...9)
      #expect(await probe.values(5).count == 5)
      let info = try await stand.info()
      #expect(info.unsettled == 5 && info.pending == 4 && deliveries.counts.credit == 0 && probe.isLawful)
      #expect(deliveries.counts.asked == 5)
      probe.cancel()
      #expect(try await becomes { try await stand.info().waiting == 0 })
    }

    @Test func `With unlimited demand everything comes, once and in order, and at most a batch is asked for at a time`()
      async throws
    {
      let stand = try await Stand { $0.maxAckPending = nil }
      let sink = stand.connection.streamSubscriber(failure: Never.self)
      let subject = "\(stand.stream).n"
      Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...3_000)
        .map { NATSPublication(bytes("\($0)"), to: subject) }.subscribe(sink)
      #expect(try await sink.finished() == .finished && sink.counts.confirmed == 3_000)
      let probe = Probe<NATSDelivery, NATSError>()
      let deliveries = stand.deliveries(batch: 1...50)
      deliveries.subscribe(probe)
      #expect(await probe.values(3_000).map(\.text) == (1...3_000).map(String.init))
      #expect(await reached { deliveries.counts.credit <= 50 })
      let work = probe.values
      for delivery in work { try await delivery.ack() }
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      #expect(deliveries.counts.acknowledged == 3_000 && deliveries.counts.inFlight == 0)
      probe.cancel()
      #expect(try await becomes { try await stand.info().waiting == 0 })
      #expect(probe.isLawful)
    }

    @Test func `Reading ahead fetches a batch without demand, and gives it back`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...20)
      let probe = Probe<NATSDelivery, NATSError>(demand: .none)
      let deliveries = stand.deliveries(batch: 1...8, refillAt: 0)
      deliveries.subscribe(probe)
      #expect(try await becomes { try await stand.info().unsettled == 8 })
      #expect(probe.count == 0)
      probe.cancel()
      // They are available at once to another subscriber.
      let other = Probe<NATSDelivery, NATSError>(demand: .max(20))
      stand.deliveries().subscribe(other)
      let values = await other.values(20)
      #expect(Set(values.map(\.text)) == Set((1...20).map(String.init)))
      #expect(deliveries.counts.givenBack >= 8 && deliveries.counts.inFlight == 0)
      other.cancel()
    }

    @Test func `What is given back comes again, at once or later, and what is terminated does not`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...3)
      let probe = Probe<NATSDelivery, NATSError>()
      let deliveries = stand.deliveries()
      deliveries.subscribe(probe)
      let values = await probe.values(3)
      try await values[0].terminate()
      try await values[1].nak(after: nil)
      let again = await probe.values(4)[3]
      #expect((again.text, again.attempt) == ("2", 2) && again.sequence == 2)
      let start = ContinuousClock.now
      try await values[2].nak(after: .milliseconds(300))
      let later = await probe.values(5)[4]
      #expect((later.text, later.attempt) == ("3", 2) && ContinuousClock.now - start >= .milliseconds(250))
      try await again.ack()
      try await later.ack()
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      #expect(probe.count == 5)
      let counts = deliveries.counts
      #expect((counts.acknowledged, counts.givenBack, counts.terminated, counts.inFlight) == (2, 2, 1, 0))
      probe.cancel()
    }

    @Test func `What is not settled in time comes again, and what is extended does not`() async throws {
      let stand = try await Stand { $0.ackWait = .seconds(1) }
      try await stand.publish(1...2)
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries().subscribe(probe)
      let values = await probe.values(2)
      let extending = Task {
        while !Task.isCancelled {
          try await values[0].extend()
          try await ContinuousClock().sleep(for: .milliseconds(200))
        }
      }
      // Once more: by then the deadline of the first one has passed by this side's clock as well, which starts later
      // than the server's.
      let again = await probe.values(4)[3]
      #expect((again.text, again.attempt) == ("2", 3))
      // A delivery whose deadline has passed would extend the deadline of the other one.
      await #expect(throws: DeliveryError.self) { try await values[1].extend() }
      try await again.ack()
      extending.cancel()
      try await values[0].ack()
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      #expect(probe.values.count { $0.text == "1" } == 1)
      probe.cancel()
    }

    @Test func `A delivery is settled once`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...1)
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries().subscribe(probe)
      let delivery = await probe.values(1)[0]
      try await delivery.ack()
      func reason(_ body: () async throws -> Void) async -> DeliveryError.Reason? {
        do { try await body() } catch { return (error as? DeliveryError)?.reason }
        return nil
      }
      #expect(await reason { try await delivery.ack() } == .settled)
      #expect(await reason { try await delivery.nak(after: nil) } == .settled)
      #expect(await reason { try await delivery.extend() } == .settled)
      #expect(await reason { try await delivery.terminate() } == .settled)
      probe.cancel()
    }

    @Test func `A confirmed acknowledgement is one that the server has when it returns`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...5)
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(5))
      stand.deliveries { $0.confirmsAcknowledgements = true }.subscribe(probe)
      for (index, delivery) in await probe.values(5).enumerated() {
        try await delivery.ack()
        #expect(try await stand.info().unsettled == 4 - index)
      }
      probe.cancel()
    }

    @Test func `What is settled in a cancelled task is settled`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...2)
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(2))
      stand.deliveries { $0.confirmsAcknowledgements = true }.subscribe(probe)
      let values = await probe.values(2)
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await values[0].ack()
        try await values[1].terminate()
      }
      task.cancel()
      try await task.value
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      probe.cancel()
    }

    @Test func `Two subscribers share the messages`() async throws {
      let stand = try await Stand()
      let probes = [Probe<NATSDelivery, NATSError>(), Probe()]
      let deliveries = stand.deliveries(batch: 1...4)
      for probe in probes { deliveries.subscribe(probe) }
      #expect(try await becomes { try await stand.info().waiting >= 2 })
      try await stand.publish(1...100)
      #expect(await reached { probes[0].count + probes[1].count == 100 })
      #expect(Set((probes[0].values + probes[1].values).map(\.text)).count == 100)
      #expect(probes.allSatisfy { $0.count > 10 && $0.isLawful })
      for probe in probes { probe.cancel() }
    }

    @Test func `A cancel at any point loses nothing`() async throws {
      let stand = try await Stand { $0.maxAckPending = nil }
      try await stand.publish(1...60)
      var done: Set<String> = []
      for round in 0..<12 {
        let probe = Probe<NATSDelivery, NATSError>(demand: .max(round + 1))
        stand.deliveries(batch: 1...8, refillAt: round.isMultiple(of: 2) ? 4 : nil).subscribe(probe)
        if round % 3 != 0 { _ = await probe.values(min(round, 60 - done.count)) }
        probe.cancel()
        try await ContinuousClock().sleep(for: .milliseconds(5))
        for delivery in probe.values {
          try await delivery.ack()
          done.insert(delivery.text)
        }
      }
      let rest = Probe<NATSDelivery, NATSError>()
      stand.deliveries().subscribe(rest)
      let missing = 60 - done.count
      for delivery in await rest.values(missing) { done.insert(delivery.text) }
      #expect(done.count == 60)
      rest.cancel()
      #expect(try await becomes { try await stand.info().waiting == 0 })
    }

    @Test func `Work is done, acknowledged, given back, and set aside`() async throws {
      struct Busy: Error {}
      let stand = try await Stand()
      try await stand.publish(1...30)
      let aside = Locked<[String]>([])
      let results = stand.deliveries(batch: 1...8)
        .deadLetter(after: 3) { delivery in aside.change { $0.append(delivery.text) } }
        .acknowledged(maxTasks: .max(4), onFailure: { _, _ in .nak() }) { delivery in
          if delivery.text == "7" || delivery.text == "9" && delivery.attempt < 3 { throw Busy() }
          return Int(delivery.text)!
        }
      let probe = Probe<Int, NATSError>()
      results.subscribe(probe)
      #expect(await probe.values(29).sorted() == (1...30).filter { $0 != 7 })
      #expect(await reached { aside.value == ["7"] })
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      probe.cancel()
    }

    @Test func `Credit that the server hands back is asked for again`() async throws {
      let stand = try await Stand()
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(4))
      let deliveries = stand.deliveries {
        $0.expires = .milliseconds(400)
        $0.heartbeat = .milliseconds(200)
      }
      deliveries.subscribe(probe)
      #expect(await reached { deliveries.counts.returnedCredit >= 8 })
      #expect(await reached { deliveries.counts.credit == 4 })
      try await stand.publish(1...6)
      #expect(await probe.values(4).count == 4)
      #expect(await reached { deliveries.counts.credit == 0 })
      #expect(try await stand.info().pending == 2 && probe.isLawful)
      probe.cancel()
    }

    @Test func `A consumer's limits are kept, and what waits for them comes when there is room`() async throws {
      let stand = try await Stand {
        $0.maxAckPending = 3; $0.maxRequestBatch = 2
      }
      try await stand.publish(1...6)
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries {
        $0.expires = .milliseconds(400)
        $0.heartbeat = .milliseconds(100)
      }.subscribe(probe)
      _ = await probe.values(3)
      #expect(try await stand.info().unsettled == 3)
      var settled = 0
      while settled < 6 {
        for delivery in await probe.values(settled + 1).dropFirst(settled) {
          try await delivery.ack()
          settled += 1
        }
      }
      #expect(probe.values.map(\.text) == ["1", "2", "3", "4", "5", "6"])
      probe.cancel()
    }

    @Test func `A drained connection finishes its streams, and waits for what they have delivered`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...10)
      let connection = try await NATSConnection.connect(to: [stand.server.address])
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(2))
      let deliveries = connection.deliveries(stream: stand.stream, consumer: "worker", batch: 1...4, refillAt: 1)
      deliveries.subscribe(probe)
      let values = await probe.values(2)
      let draining = Task { await connection.drain() }
      try await values[0].ack()
      try await values[1].ack()
      // Messages that have been read ahead are delivered before the end, on demand.
      probe.request(100)
      #expect(await probe.end() == .finished)
      for delivery in probe.values.dropFirst(2) { try await delivery.ack() }
      await draining.value
      // The server has read the settlements, and processes them later; messages that have been given back are unsettled
      // until they come again.
      #expect(
        try await becomes {
          let info = try await stand.info()
          return info.waiting == 0 && info.unsettled == deliveries.counts.givenBack
        })
      #expect(deliveries.counts.inFlight == 0)
    }
  }
#endif
