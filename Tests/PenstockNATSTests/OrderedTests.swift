// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  /// Tests of the messages of a stream in their order, of consumers without a name, and of single messages.
  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct OrderedTests {
    @Test func `Messages come in their order, as many as are requested, and each subscriber gets all`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...200)
      let messages = stand.connection.messages(of: stand.stream, batch: 1...16)
      let (slow, quick) = (Probe<NATSStreamMessage, NATSError>(demand: .none), Probe<NATSStreamMessage, NATSError>())
      messages.subscribe(slow)
      messages.subscribe(quick)
      #expect(await quick.values(200).map(\.text) == (1...200).map(String.init))
      #expect(slow.count == 0)
      slow.request(3)
      let first = await slow.values(3)
      #expect(first.map(\.sequence) == [1, 2, 3] && first.map(\.pending) == [199, 198, 197])
      #expect(
        first[0].stream == stand.stream && first[0].subject == "\(stand.stream).n" && first[0].message.reply == nil)
      try await stand.publish(201...210)
      #expect(await quick.values(210).map(\.sequence) == Array(1...210) && quick.isLawful)
      // Each has a consumer, which ends with a cancel.
      #expect(try await stand.connection.consumers(of: stand.stream).count == 3)
      slow.cancel()
      quick.cancel()
      #expect(try await becomes { try await stand.connection.consumers(of: stand.stream).map(\.name) == ["worker"] })
    }

    @Test func `They begin where they are wanted: at a number, at a date, at the last, at new ones, at a subject`()
      async throws
    {
      let stand = try await Stand()
      let (connection, stream) = (stand.connection, stand.stream)
      for number in 1...6 {
        try await connection.publishConfirmed(
          bytes("\(number)"), to: "\(stream).\(number.isMultiple(of: 2) ? "b" : "a")")
      }
      func texts(
        _ beginning: ConsumerConfiguration.DeliverPolicy, matching filter: String? = nil, _ count: Int
      ) async -> [String] {
        let probe = Probe<NATSStreamMessage, NATSError>()
        connection.messages(of: stream, matching: filter, from: beginning).subscribe(probe)
        defer { probe.cancel() }
        return await probe.values(count).map(\.text)
      }
      #expect(await texts(.sequence(4), 3) == ["4", "5", "6"])
      #expect(await texts(.time("2020-01-31T12:00:00Z"), 6) == ["1", "2", "3", "4", "5", "6"])
      #expect(await texts(.last, 1) == ["6"])
      #expect(await texts(.lastPerSubject, 2) == ["5", "6"])
      #expect(await texts(.all, matching: "\(stream).b", 3) == ["2", "4", "6"])
      let probe = Probe<NATSStreamMessage, NATSError>()
      connection.messages(of: stream, from: .new).subscribe(probe)
      #expect(
        try await becomes {
          try await connection.consumers(of: stream).contains {
            $0.configuration.deliverPolicy == .new && $0.waiting == 1
          }
        })
      try await stand.publish(7...7)
      #expect(await probe.values(1).map(\.text) == ["7"])
      probe.cancel()
    }

    @Test func `Nothing is missing and nothing twice when the consumer is deleted or the server is killed`()
      async throws
    {
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      let stand = try await Stand(on: server, options: options)
      let probe = Probe<NATSStreamMessage, NATSError>()
      var requests = NATSDeliveryOptions()
      requests.heartbeat = .milliseconds(200)
      stand.connection.messages(of: stand.stream, batch: 1...8, options: requests).subscribe(probe)
      try await stand.publish(1...20)
      _ = await probe.values(20)
      for round in 1...3 {
        for consumer in try await stand.connection.consumers(of: stand.stream) where consumer.name != "worker" {
          try await stand.connection.deleteConsumer(consumer.name, stream: stand.stream)
        }
        try await stand.publish(round * 20 + 1...round * 20 + 10)
        _ = await probe.values(round * 20 + 10)
        server.kill()
        try await server.start()
        for number in round * 20 + 11...round * 20 + 20 {
          #expect(
            try await becomes {
              (try? await stand.connection.publishConfirmed(
                bytes("\(number)"), to: "\(stand.stream).n", id: "\(number)"))
                != nil
            })
        }
        _ = await probe.values(round * 20 + 20)
      }
      #expect(probe.values.map(\.text) == (1...80).map(String.init) && probe.isLawful)
      probe.cancel()
    }

    @Test func `A stream that is made again comes whole, one that is gone is a failure, and a drain is an end`()
      async throws
    {
      let stand = try await Stand()
      let (connection, stream) = (stand.connection, stand.stream)
      var requests = NATSDeliveryOptions()
      requests.heartbeat = .milliseconds(200)
      let messages = connection.messages(of: stream, options: requests)
      let probe = Probe<NATSStreamMessage, NATSError>()
      messages.subscribe(probe)
      try await stand.publish(1...5)
      _ = await probe.values(5)
      try await connection.deleteStream(stream)
      try await connection.createStream(StreamConfiguration(stream, subjects: ["\(stream).>"]))
      try await stand.publish(6...7)
      #expect(await probe.values(7).map(\.sequence) == [1, 2, 3, 4, 5, 1, 2])
      try await connection.deleteStream(stream)
      #expect(await probe.failure()?.reason == .streamNotFound)
      let late = Probe<NATSStreamMessage, NATSError>()
      messages.subscribe(late)
      #expect(await late.failure()?.reason == .streamNotFound)
      let other = try await Stand()
      let waiting = Probe<NATSStreamMessage, NATSError>()
      other.connection.messages(of: other.stream).subscribe(waiting)
      try await other.publish(1...1)
      _ = await waiting.values(1)
      await other.connection.drain()
      #expect(await waiting.end() == .finished)
    }

    @Test func `A consumer without a name has deliveries, and ends when nobody asks`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...4)
      var configuration = ConsumerConfiguration("ignored")
      configuration.deliverPolicy = .sequence(3)
      configuration.inactiveThreshold = .seconds(5)
      let info = try await stand.connection.createEphemeralConsumer(configuration, stream: stand.stream)
      #expect(info.name != "ignored" && !info.name.isEmpty && info.pending == 2)
      let probe = Probe<NATSDelivery, NATSError>()
      stand.connection.deliveries(stream: stand.stream, consumer: info.name).subscribe(probe)
      let values = await probe.values(2)
      #expect(values.map(\.text) == ["3", "4"])
      for delivery in values { try await delivery.ack() }
      probe.cancel()
      #expect(try await becomes { try await stand.connection.consumers(of: stand.stream).count == 1 })
    }

    @Test func `Streams and consumers are listed, however many there are`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let connection = try await NATSConnection.connect(to: [server.address])
      #expect(try await connection.streams().isEmpty)
      for number in 0..<260 {
        var stream = StreamConfiguration("S\(number)", subjects: ["s.\(number)"])
        stream.storage = .memory
        try await connection.createStream(stream)
      }
      let streams = try await connection.streams()
      #expect(Set(streams.map(\.configuration.name)).count == 260 && streams.count == 260)
      #expect(try await connection.streams(keeping: "s.7").map(\.configuration.name) == ["S7"])
      #expect(try await connection.consumers(of: "S7").isEmpty)
      #expect(await error { _ = try await connection.consumers(of: "NONE") }?.reason == .streamNotFound)
    }

    @Test func `A single message is got, with all its headers, and deleted`() async throws {
      let stand = try await Stand()
      let (connection, stream) = (stand.connection, stand.stream)
      var publication = NATSPublication([0, 255], to: "\(stream).a")
      publication.headerValues = ["Colour": ["blue", "green"]]
      let kept = try await connection.publishConfirmed(publication)
      try await connection.publishConfirmed(bytes("later"), to: "\(stream).b")
      let message = try await connection.message(kept.sequence, stream: stream)
      #expect(message?.payload == [0, 255] && message?.subject == "\(stream).a" && message?.sequence == kept.sequence)
      #expect(message?.message.headerValues["Colour"] == ["blue", "green"])
      #expect(try await connection.lastMessage(of: "\(stream).>", stream: stream)?.text == "later")
      #expect(try await connection.lastMessage(of: "\(stream).c", stream: stream) == nil)
      #expect(try await connection.deleteMessage(kept.sequence, stream: stream))
      #expect(try await !connection.deleteMessage(kept.sequence, stream: stream, erases: true))
      #expect(try await connection.message(kept.sequence, stream: stream) == nil)
      #expect(await error { _ = try await connection.message(1, stream: "NONE") }?.reason == .streamNotFound)
    }

    @Test func `A request is answered`() async throws {
      let connection = try await NATSConnection.connect(to: [try await NATSServer.shared().address])
      let place = uniqueName("ask")
      let answering = connection.subscribe(place, queue: "g").mapAsync(maxTasks: .max(4)) { request in
        try? await connection.reply("\(request.text)!", to: request, headers: ["Of": "us"])
      }
      .sink { _ in
      } receiveValue: { _ in
      }
      #expect(try await becomes { (try? await connection.request(bytes("tea"), to: place))?.text == "tea!" })
      let answer = try await connection.request(bytes("more"), to: place)
      #expect(answer.text == "more!" && answer.headers["Of"] == "us")
      #expect(
        await error { try await connection.reply("x", to: NATSMessage([], subject: "a")) }?.reason == .invalidName)
      answering.cancel()
      connection.close()
    }
  }
#endif
