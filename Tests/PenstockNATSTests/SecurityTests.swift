// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockInspector
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite struct AddressTests {
    private func secret(_ scheme: String = "tls", _ server: FakeServer) -> String {
      "\(scheme)://bob:s3cret@\(server.address)"
    }

    @Test(arguments: ["tls", "TLS"])
    func `An address that asks for TLS gets it, or an error, and nothing secret is sent before`(
      _ scheme: String
    ) async throws {
      let server = try FakeServer()
      defer { server.stop() }
      let options = NATSOptions(authentication: .user("bob", password: "s3cret"))
      for address in [secret(scheme, server), "\(scheme)://\(server.address)"] {
        let failure = await error { _ = try await NATSConnection.connect(to: [address], options: options) }
        #expect(failure?.reason == .tls, "\(address)")
      }
      // Another address in the list does not make it less secure.
      let both = ["nats://\(server.address)", "\(scheme)://\(server.address)"]
      #expect(await error { _ = try await NATSConnection.connect(to: both, options: options) }?.reason == .tls)
      #expect(!server.text.contains("s3cret") && !server.text.contains("CONNECT"))
    }

    @Test(arguments: ["http", "ws", "wss", "tcp", "tls ", "rediss", ""])
    func `A scheme that is not known is an error`(_ scheme: String) async throws {
      let server = try FakeServer()
      defer { server.stop() }
      let failure = await error { _ = try await NATSConnection.connect(to: [secret(scheme, server)]) }
      #expect(failure?.reason == .invalidName && failure?.description.contains("s3cret") == false)
      #expect(server.text.isEmpty)
    }

    @Test func `No password is in a state, an error, a description or a mirror`() async throws {
      let server = try FakeServer()
      defer { server.stop() }
      let seed = "SUAAAAAAAAAAsecretseed"
      let text =
        "-----BEGIN NATS USER JWT-----\ns3crettoken\n-----END-----\n-----BEGIN SEED-----\n\(seed)\n-----END-----"
      var all = ""
      for authentication: NATSOptions.Authentication in [
        .user("bob", password: "s3cret"), .token("s3cret"), .nkeySeed(public: "U", seed: seed), .credentials(text),
      ] {
        var options = NATSOptions(authentication: authentication)
        options.tls = NATSOptions.TLS()
        options.tls?.key = "s3cretkey"
        dump(options, to: &all)
        all += "\(options) \(String(reflecting: options)) \(String(reflecting: authentication)) \(options.tls!)"
      }
      let connection = try await NATSConnection.connect(
        to: [secret("nats", server)], options: NATSOptions(authentication: .user("bob", password: "s3cret")))
      let states = Probe<NATSConnectionState, Never>()
      connection.states.inspected("states of bob") { "\($0)" }.subscribe(states)
      let first = await states.values(1)
      #expect(first == [.connected(to: "nats://\(server.address)")])
      #expect(server.text.contains("s3cret"))
      dump(connection, to: &all)
      let (messages, deliveries) = (Probe<NATSMessage, NATSError>(), Probe<String, NATSError>())
      connection.subscribe("news").inspected("news") { "\($0)" }.subscribe(messages)
      connection.deliveries(stream: "ORDERS", consumer: "billing").inspected("orders") { "\($0)" }
        .acknowledged { $0.text }.subscribe(deliveries)
      // Everything that the window shows is made from a snapshot's JSON.
      let snapshot = Inspector.snapshot()
      let window = "\(snapshot) \(snapshot.json) \(Inspector.page(asking: "http://127.0.0.1"))"
      for name in ["states of bob", "news", "orders"] { #expect(window.contains(name), "\(name)") }
      var looked = window
      dump(snapshot, to: &looked)
      #expect(looked.contains(server.address))
      all += looked
      let nobody = await error { _ = try await NATSConnection.connect(to: ["nats://bob:s3cret@127.0.0.1:1"]) }
      #expect(nobody?.reason == .noServer)
      connection.close()
      for end in [await messages.end(), await deliveries.end()] { all += String(describing: end) }
      _ = await states.end()
      all += "\(states.values) \(nobody.map { "\($0)" } ?? "")"
      for word in ["s3cret", seed] { #expect(!all.contains(word), "\(word)") }
      #expect(all.contains("bob"))
    }
  }

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct PublishingLossTests {
    @Test func `Headers count for the greatest payload`() async throws {
      let connection = try await NATSConnection.connect(to: [try await NATSServer.shared().address])
      let place = uniqueName("core")
      let probe = Probe<NATSMessage, NATSError>()
      connection.subscribe(place).subscribe(probe)
      try await connection.flush()
      let headers = ["Colour": String(repeating: "x", count: 100)]
      // The line of the version, the name, a colon and a space, the value, and three ends of lines.
      let most = connection.maxPayload - 10 - (6 + 2 + 100 + 2) - 2
      for count in [connection.maxPayload, most + 10, most + 1] {
        let payload = [UInt8](repeating: 1, count: count)
        let failure = await error { try await connection.publish(payload, to: place, headers: headers) }
        #expect(failure?.reason == .payloadTooLarge)
      }
      try await connection.publish([UInt8](repeating: 1, count: most), to: place, headers: headers)
      try await connection.flush()
      #expect(await probe.values(1)[0].payload.count == most)
      connection.close()
    }

    @Test func `What there is no room for without a connection is an error, and nothing else is lost`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = NATSOptions()
      options.reconnectBufferSize = 64 << 10
      options.reconnectWait = .milliseconds(50)
      let connection = try await NATSConnection.connect(to: [server.address], options: options)
      let place = uniqueName("core")
      let probe = Probe<NATSMessage, NATSError>()
      connection.subscribe(place).subscribe(probe)
      try await connection.flush()
      server.kill()
      #expect(await reached { !connection.isConnected })
      var kept: [String] = []
      var refused = 0
      for number in 0..<200 {
        let text = "\(number) " + String(repeating: "x", count: 1_000)
        let failure = await error { try await connection.publish(text, to: place) }
        if failure == nil { kept.append(text) } else { refused += 1 }
        #expect(failure == nil || failure?.reason == .disconnected)
      }
      #expect(refused > 100 && kept.count > 50)
      try await server.start()
      #expect(await probe.values(kept.count).map(\.text) == kept)
      try await connection.publish("afterwards", to: place)
      try await connection.flush()
      #expect(await probe.values(kept.count + 1).last?.text == "afterwards" && probe.count == kept.count + 1)
      connection.close()
    }

    @Test func `Headers keep all their values`() async throws {
      let connection = try await NATSConnection.connect(to: [try await NATSServer.shared().address])
      let place = uniqueName("core")
      let probe = Probe<NATSMessage, NATSError>()
      connection.subscribe(place).subscribe(probe)
      var message = NATSMessage(bytes("x"), subject: place)
      message.headerValues = ["Colour": ["blue", "green", "blue"], "Size": ["1"]]
      try await connection.publish(message)
      #expect(await probe.values(1) == [message])
      #expect(probe.values[0].headers == ["Colour": "blue", "Size": "1"])
      message.headerValues["None"] = []
      #expect(await error { try await connection.publish(message) }?.reason == .invalidName)
      connection.close()
    }

    @Test func `A drain keeps its time although the server takes nothing`() async throws {
      // The server reads nothing: published bytes stay in the buffers of the system, and then in a write.
      let reading = DispatchSemaphore(value: 0)
      let server = try FakeServer(onLine: { _, line in if line.hasPrefix("PUB") { reading.wait() } })
      defer { server.stop() }
      let connection = try await NATSConnection.connect(to: ["nats://\(server.address)"])
      let payload = [UInt8](repeating: 1, count: 500_000)
      for _ in 0..<40 { Task { try await connection.publish(payload, to: "a") } }
      #expect(await reached { server.text.contains("PUB") })
      let states = Probe<NATSConnectionState, Never>()
      connection.states.subscribe(states)
      await connection.drain(within: .milliseconds(300))
      // The write is given up after ten seconds; then there is a last state.
      #expect(!states.values.contains(.closed))
      reading.signal()
      #expect(await states.end() == .finished && states.values.last == .closed)
    }
  }
#endif
