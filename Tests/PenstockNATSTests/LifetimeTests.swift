// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  /// One after the other, in a server of their own: the contexts belong to the whole process, so those of one
  /// connection are counted by what the server sees.
  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct LifetimeTests {
    private struct Connections: Decodable {
      struct Connection: Decodable {
        let subscriptions: Int
      }

      let num_connections: Int
      let connections: [Connection]
    }

    private func start() async throws -> (NATSServer, () async throws -> Connections) {
      let server = try await NATSServer.start(
        "system_account: SYS", "accounts {", "  SYS { users: [{user: sys, password: sys}] }",
        "  APP { jetstream: enabled", "    users: [{user: app, password: app}] }", "}")
      let system = try await NATSConnection.connect(
        to: [server.address], options: NATSOptions(authentication: .user("sys", password: "sys")))
      return (
        server,
        {
          struct Answer: Decodable {
            let data: Connections
          }
          let answer = try await system.request(bytes("{\"acc\":\"APP\"}"), to: "$SYS.REQ.SERVER.PING.CONNZ")
          return try JSONDecoder().decode(Answer.self, from: Data(answer.payload)).data
        }
      )
    }

    private let app = NATSOptions(authentication: .user("app", password: "app"))

    @Test func `A connection that nobody uses is closed`() async throws {
      let (server, look) = try await start()
      defer { server.stop() }
      var connection: NATSConnection? = try await NATSConnection.connect(to: [server.address], options: app)
      #expect(try await becomes { try await look().num_connections == 1 })
      let probe = Probe<NATSMessage, NATSError>()
      connection?.subscribe("a").subscribe(probe)
      connection = nil
      // The stream uses it.
      #expect(try await becomes { try await look().connections.first?.subscriptions == 1 })
      probe.cancel()
      #expect(try await becomes { try await look().num_connections == 0 })
    }

    @Test func `What ends leaves no subscription at the server`() async throws {
      let (server, look) = try await start()
      defer { server.stop() }
      let stand = try await Stand(on: server, options: app)
      try await stand.publish(1...40)
      let bucket = try await stand.connection.createBucket(NATSBucketConfiguration("B"))
      let base = try await look().connections.first?.subscriptions
      #expect(base == 1)
      for round in 0..<20 {
        let probe = Probe<NATSMessage, NATSError>()
        stand.connection.subscribe("a.\(round)").subscribe(probe)
        let deliveries = Probe<NATSDelivery, NATSError>(demand: .max(round + 1))
        stand.deliveries().subscribe(deliveries)
        let entries = Probe<NATSEntry, NATSError>()
        bucket.watch().subscribe(entries)
        if round.isMultiple(of: 2) { _ = await deliveries.values(1) }
        probe.cancel()
        deliveries.cancel()
        entries.cancel()
        for delivery in deliveries.values { try await delivery.nak(after: nil) }
      }
      #expect(try await becomes { try await look().connections.first?.subscriptions == 1 })
      #expect(try await becomes { try await stand.info().waiting == 0 })
      await stand.connection.drain()
      #expect(try await becomes { try await look().num_connections == 0 })
    }

    // In a process of its own: the objects to which the C client refers are counted for the whole process.
    @Test func `The C client is left with a reference to nothing`() async throws {
      await #expect(processExitsWith: .success) {
        let server = try await NATSServer.start()
        defer { server.stop() }
        for round in 0..<10 {
          let stand = try await Stand(on: server)
          try await stand.publish(1...5)
          let bucket = try await stand.connection.createBucket(NATSBucketConfiguration(uniqueName("B")))
          let (messages, entries) = (Probe<NATSMessage, NATSError>(), Probe<NATSEntry, NATSError>())
          let deliveries = Probe<NATSDelivery, NATSError>(demand: .max(3))
          stand.connection.subscribe("a").subscribe(messages)
          stand.deliveries(batch: 1...4, refillAt: 1).subscribe(deliveries)
          bucket.watch().subscribe(entries)
          try await stand.connection.publish("x", to: "a")
          _ = await (messages.values(1), deliveries.values(3))
          precondition(NATSContexts.live >= 4)
          switch round % 4 {
          case 0:
            messages.cancel()
            deliveries.cancel()
            entries.cancel()
            await stand.connection.drain(within: .milliseconds(10))
          case 1: stand.connection.close()
          case 2: await stand.connection.drain(within: .milliseconds(10))
          default:
            server.kill()
            try await server.start()
            stand.connection.close()
          }
        }
        _ = await error { _ = try await NATSConnection.connect(to: ["nats://127.0.0.1:1"]) }
        let isClean = await reached(within: .seconds(20)) { NATSContexts.live == 0 }
        if !isClean { fatalError("\(NATSContexts.live) are left") }
      }
    }

    @Test func `A drain without work takes no time`() async throws {
      let connection = try await NATSConnection.connect(to: [try await NATSServer.shared().address])
      let probe = Probe<NATSMessage, NATSError>()
      connection.subscribe("a").subscribe(probe)
      let start = ContinuousClock.now
      await connection.drain()
      #expect(await probe.end() == .finished)
      #expect(ContinuousClock.now - start < .seconds(5))
    }
  }
#endif
