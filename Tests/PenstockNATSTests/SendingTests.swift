// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import DeliveryFaults
  import PenstockConcurrency
  import PenstockNATS
  import PenstockOperators
  import TestSupport
  import Testing

  /// The same tests as elsewhere, with a connection that collects messages before it sends them.
  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct SendingTests {
    private var batched: NATSOptions {
      var options = NATSOptions()
      options.sending = .batched
      return options
    }

    @Test func `What is collected comes, in its order, and soon`() async throws {
      let server = try await NATSServer.shared()
      let (connection, other) = (
        try await NATSConnection.connect(to: [server.address], options: batched),
        try await NATSConnection.connect(to: [server.address])
      )
      let place = uniqueName("core")
      let probe = Probe<NATSMessage, NATSError>()
      other.subscribe(place).subscribe(probe)
      try await other.flush()
      // A single message does not wait for others.
      try await connection.publish("0", to: place)
      _ = await probe.values(1)
      for number in 1...2_000 { try await connection.publish("\(number)", to: place) }
      #expect(await probe.values(2_001).map(\.text) == (0...2_000).map(String.init))
      let answering = connection.subscribe("\(place).double").sink { _ in
      } receiveValue: { message in
        Task { try await connection.publish("\(Int(message.text)! * 2)", to: message.reply!) }
      }
      #expect(try await connection.request(bytes("21"), to: "\(place).double").text == "42")
      answering.cancel()
      connection.close()
      other.close()
    }

    @Test func `Confirmations, acknowledgements and demand are as without collecting`() async throws {
      let stand = try await Stand(options: batched)
      let sink = stand.connection.streamSubscriber(failure: Never.self, maxInFlight: 32)
      (1...500).publisher.map { NATSPublication(bytes("\($0)"), to: "\(stand.stream).n") }.subscribe(sink)
      #expect(try await sink.finished() == .finished && sink.counts.confirmed == 500)
      let deliveries = stand.deliveries(batch: 1...16)
      let probe = Probe<String, NATSError>()
      deliveries.acknowledged(maxTasks: .max(4)) { $0.text }.subscribe(probe)
      #expect(await Set(probe.values(500)).count == 500)
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      #expect(deliveries.counts.acknowledged == 500 && deliveries.counts.inFlight == 0)
      probe.cancel()
      await stand.connection.drain()
    }

    @Test func `A drain sends what is collected`() async throws {
      let server = try await NATSServer.shared()
      let other = try await NATSConnection.connect(to: [server.address])
      for round in 1...20 {
        let place = uniqueName("core")
        let probe = Probe<NATSMessage, NATSError>()
        other.subscribe(place).subscribe(probe)
        try await other.flush()
        let connection = try await NATSConnection.connect(to: [server.address], options: batched)
        for number in 1...round { try await connection.publish("\(number)", to: place) }
        await connection.drain()
        #expect(await probe.values(round).count == round)
        probe.cancel()
      }
      other.close()
    }

    @Test func `What is collected while the server is away is sent when it is back`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = batched
      options.reconnectWait = .milliseconds(50)
      let stand = try await Stand(on: server, options: options)
      server.kill()
      #expect(await reached { !stand.connection.isConnected })
      let sink = stand.connection.streamSubscriber(failure: Never.self, attempts: 30, timeout: .milliseconds(300))
      (1...100).publisher.map { NATSPublication(bytes("\($0)"), to: "\(stand.stream).n") }.subscribe(sink)
      try await server.start()
      #expect(try await sink.finished() == .finished && sink.counts.confirmed == 100)
      #expect(try await stand.connection.streamInfo(stand.stream).state.messages == 100)
      stand.connection.close()
    }
  }
#endif
