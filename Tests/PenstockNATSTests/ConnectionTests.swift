// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockOperators
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct ConnectionTests {
    @Test func `What is published comes to who has subscribed, with its headers`() async throws {
      let server = try await NATSServer.shared()
      let connection = try await NATSConnection.connect(to: [server.address], options: NATSOptions(name: "a test"))
      let place = uniqueName("core")
      let probe = Probe<NATSMessage, NATSError>()
      let messages = connection.subscribe("\(place).*")
      messages.subscribe(probe)
      try await connection.publish("one", to: "\(place).a", headers: ["Colour": "blue", "Size": "1 2"])
      try await connection.publish([0, 255], to: "\(place).b", reply: "\(place).answers")
      try await connection.publish("not this", to: "\(place).a.b")
      try await connection.flush()
      let values = await probe.values(2)
      #expect(
        values[0] == NATSMessage(bytes("one"), subject: "\(place).a", headers: ["Colour": "blue", "Size": "1 2"]))
      #expect(values[1].payload == [0, 255] && values[1].reply == "\(place).answers" && values[0].text == "one")
      await connection.drain()
      #expect(await probe.end() == .finished && probe.count == 2 && probe.isLawful)
    }

    @Test func `A queue group shares messages`() async throws {
      let server = try await NATSServer.shared()
      let connection = try await NATSConnection.connect(to: [server.address])
      let place = uniqueName("core")
      let probes = [Probe<NATSMessage, NATSError>(), Probe()]
      for probe in probes { connection.subscribe(place, queue: "workers").subscribe(probe) }
      for number in 0..<200 { try await connection.publish("\(number)", to: place) }
      #expect(await reached { probes[0].count + probes[1].count == 200 })
      #expect(Set((probes[0].values + probes[1].values).map(\.text)).count == 200)
      #expect(probes.allSatisfy { $0.count > 20 })
      for probe in probes { probe.cancel() }
    }

    @Test func `Requests are answered, and say when nobody listens or the answer takes too long`() async throws {
      let server = try await NATSServer.shared()
      let connection = try await NATSConnection.connect(to: [server.address])
      let place = uniqueName("core")
      let answering = connection.subscribe("\(place).double").sink { _ in
      } receiveValue: { message in
        Task { try await connection.publish("\(Int(message.text)! * 2)", to: message.reply!) }
      }
      let silent = connection.subscribe("\(place).silent").sink { _ in
      } receiveValue: { _ in
      }
      #expect(try await connection.request(bytes("21"), to: "\(place).double").text == "42")
      for await result in connection.response(bytes("4"), to: "\(place).double").mapToResult().values {
        #expect(try result.get().text == "8")
      }
      let none = await error { _ = try await connection.request([], to: "\(place).nobody") }
      #expect(none?.reason == .noResponders && none?.code == 503)
      let late = await error {
        _ = try await connection.request([], to: "\(place).silent", timeout: .milliseconds(50))
      }
      #expect(late?.reason == .noResponse)
      let task = Task { await error { _ = try await connection.request([], to: "\(place).silent") } }
      task.cancel()
      #expect(await task.value?.reason == .cancelled)
      answering.cancel()
      silent.cancel()
    }

    @Test func `Many requests at a time each get their own answer`() async throws {
      let server = try await NATSServer.shared()
      let connection = try await NATSConnection.connect(to: [server.address])
      let place = uniqueName("core")
      let answering = connection.subscribe(place).sink { _ in
      } receiveValue: { message in
        Task { try await connection.publish(message.payload, to: message.reply!) }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<300 {
          group.addTask {
            let answer = try await connection.request(bytes("\(number)"), to: place)
            #expect(answer.text == "\(number)")
          }
        }
        try await group.waitForAll()
      }
      answering.cancel()
    }

    @Test func `What is too large is refused before it is sent`() async throws {
      let server = try await NATSServer.shared()
      let connection = try await NATSConnection.connect(to: [server.address])
      let large = [UInt8](repeating: 1, count: connection.maxPayload + 1)
      #expect(await error { try await connection.publish(large, to: "a") }?.reason == .payloadTooLarge)
      #expect(await error { try await connection.publishConfirmed(large, to: "a") }?.reason == .payloadTooLarge)
      #expect(connection.isConnected)
    }

    @Test func `Who can't be let in gets a typed error`() async throws {
      let server = try await NATSServer.start("authorization {", "  user: ann", "  password: secret", "}")
      defer { server.stop() }
      func reason(_ authentication: NATSOptions.Authentication?) async -> NATSError.Reason? {
        await error {
          _ = try await NATSConnection.connect(
            to: [server.address], options: NATSOptions(authentication: authentication))
        }?.reason
      }
      #expect(await reason(.user("ann", password: "secret")) == nil)
      #expect(await reason(.user("ann", password: "wrong")) == .authorization)
      #expect(await reason(nil) == .authorization)
      #expect(await reason(.token("abc")) == .authorization)
      #expect(await reason(.user("ann\"", password: "x")) == .invalidName)
      #expect(await reason(.credentialsFile("nowhere.creds")) != nil)
      let nobody = await error { _ = try await NATSConnection.connect(to: ["nats://127.0.0.1:1"]) }
      #expect(nobody?.reason == .noServer)
      #expect(await error { _ = try await NATSConnection.connect(to: []) }?.reason == .invalidName)
    }

    @Test func `What the server does not permit is a failure of the stream, and of the request`() async throws {
      let server = try await NATSServer.start(
        "authorization {", "  users = [",
        "    {user: ann, password: x, permissions: {publish: [\"ok.>\"], subscribe: [\"_INBOX.>\", \"ok.>\"]}}",
        "  ]", "}")
      defer { server.stop() }
      let connection = try await NATSConnection.connect(
        to: [server.address], options: NATSOptions(authentication: .user("ann", password: "x")))
      let probe = Probe<NATSMessage, NATSError>()
      connection.subscribe("secret.>").subscribe(probe)
      #expect(await probe.failure()?.reason == .permissions)
      #expect(await error { _ = try await connection.request([], to: "secret.a") }?.reason == .permissions)
      #expect(await error { _ = try await connection.request([], to: "ok.a") }?.reason == .noResponders)
    }

    @Test func `States tell what happens, the latest first`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      let connection = try await NATSConnection.connect(to: [server.address], options: options)
      let (early, late) = (Probe<NATSConnectionState, Never>(), Probe<NATSConnectionState, Never>())
      connection.states.subscribe(early)
      #expect(await early.values(1) == [.connected(to: server.address)])
      let place = uniqueName("core")
      let messages = Probe<NATSMessage, NATSError>()
      connection.subscribe(place).subscribe(messages)
      server.kill()
      #expect(await reached { early.values.contains(.reconnecting) })
      #expect(!connection.isConnected)
      connection.states.subscribe(late)
      #expect(await late.values(1).first == .reconnecting)
      try await connection.publish("kept meanwhile", to: place)
      try await server.start()
      #expect(await reached { late.values.contains(.reconnected(to: server.address)) })
      #expect(await messages.values(1).map(\.text) == ["kept meanwhile"])
      connection.close()
      #expect(await early.end() == .finished && early.values.last == .closed)
      #expect(await messages.failure()?.reason == .closed)
      #expect(await error { try await connection.publish("x", to: "a") }?.reason == .closed)
      #expect(await error { _ = try await connection.request([], to: "a") }?.reason == .closed)
    }

    @Test func `A server that will stop says so`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let connection = try await NATSConnection.connect(to: [server.address])
      let probe = Probe<NATSConnectionState, Never>()
      connection.states.subscribe(probe)
      server.signal(SIGUSR2)
      #expect(await reached { probe.values.contains(.lameDuck) })
      connection.close()
    }

    @Test func `A connection gives up at its limit`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(10)
      options.reconnectLimit = 3
      let connection = try await NATSConnection.connect(to: [server.address], options: options)
      let probe = Probe<NATSConnectionState, Never>()
      connection.states.subscribe(probe)
      server.stop()
      #expect(await probe.end() == .finished && probe.values.last == .closed)
    }

    @Test func `A server that stands still is noticed by pings`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = NATSOptions()
      options.pingInterval = .milliseconds(100)
      options.reconnectWait = .milliseconds(50)
      let connection = try await NATSConnection.connect(to: [server.address], options: options)
      let probe = Probe<NATSConnectionState, Never>()
      connection.states.subscribe(probe)
      _ = await probe.values(1)
      server.signal(SIGSTOP)
      #expect(await reached(within: .seconds(10)) { probe.values.contains(.reconnecting) })
      server.signal(SIGCONT)
      #expect(await reached { probe.values.contains(.reconnected(to: server.address)) })
    }
  }
#endif
