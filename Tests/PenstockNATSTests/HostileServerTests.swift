// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  /// Tests of messages from a server that wants to do harm, or has a mistake.
  @Suite struct HostileServerTests {
    /// A server with a consumer, which answers requests for messages by a script.
    private final class Script: Sendable {
      /// The inbox of the pull, with the number of its subscription.
      let inboxes = Locked<[String: String]>([:])
      let asked = Locked<[Int]>([])

      func sid(_ subject: String) -> String? {
        inboxes.value.first { subject.hasPrefix($0.key.dropLast()) }?.value
      }
    }

    private func connect(
      _ onPull: @escaping @Sendable (FakeServer.Client, _ sid: String, _ reply: String, _ pull: Int) -> Void
    ) async throws -> (FakeServer, NATSConnection, Script) {
      let script = Script()
      let server = try FakeServer { client, line in
        let words = line.split(separator: " ").map(String.init)
        if words.first == "SUB" { return script.inboxes.change { $0[words[1]] = words.last! } }
        guard words.first == "PUB", words.count == 4, let sid = script.sid(words[2]) else { return }
        if words[1].contains("CONSUMER.INFO") {
          client.message(
            words[2], sid: sid,
            #"{"stream_name":"S","name":"c","num_pending":1,"num_ack_pending":0,"num_redelivered":0,"num_waiting":0,"#
              + #""delivered":{"consumer_seq":0,"stream_seq":0},"ack_floor":{"consumer_seq":0,"stream_seq":0},"#
              + #""config":{"durable_name":"c","ack_policy":"explicit","ack_wait":30000000000}}"#)
        } else if words[1].contains("MSG.NEXT") {
          let pull = script.asked.change {
            $0.append(Int(words[2].split(separator: "-").last!) ?? 0)
            return $0.count
          }
          onPull(client, sid, words[2], pull)
        }
      }
      return (server, try await NATSConnection.connect(to: ["nats://\(server.address)"]), script)
    }

    @Test func `A negative number of messages that are left raises no credit`() async throws {
      let (server, connection, script) = try await connect { client, sid, reply, pull in
        if pull == 1 { client.status(reply, sid: sid, "408 Request Timeout", "Nats-Pending-Messages: -25") }
      }
      defer { server.stop() }
      let deliveries = connection.deliveries(stream: "S", consumer: "c", batch: 1...10)
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(10))
      deliveries.subscribe(probe)
      #expect(await reached { script.asked.value.count == 1 })
      // None of it is handed back, so the request is still open.
      try await connection.flush()
      #expect(deliveries.counts.credit == 10 && deliveries.counts.asked == 10 && deliveries.counts.returnedCredit == 0)
      probe.cancel()
      connection.close()
    }

    @Test(arguments: ["404 No Messages", "408 Request Timeout"])
    func `A server that has nothing, at once, is not asked in a loop`(_ answer: String) async throws {
      let (server, connection, script) = try await connect { client, sid, reply, _ in
        client.status(reply, sid: sid, answer, "Nats-Pending-Messages: 5")
      }
      defer { server.stop() }
      let deliveries = connection.deliveries(stream: "S", consumer: "c", batch: 1...10)
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(10))
      deliveries.subscribe(probe)
      #expect(await reached { script.asked.value.count >= 3 })
      // Three requests with two pauses of a quarter of a second: a loop without them would be far ahead of ten flushes.
      for _ in 0..<10 { try await connection.flush() }
      #expect(script.asked.value.count < 20)
      probe.cancel()
      connection.close()
    }

    @Test func `What nobody has asked for is not kept without a limit`() async throws {
      let (server, connection, _) = try await connect { client, sid, reply, pull in
        if pull > 1 { return }
        for number in 1...5_000 {
          client.message(reply, sid: sid, reply: "$JS.ACK.S.c.1.\(number).\(number).1700000000000000000.9", "x")
        }
      }
      defer { server.stop() }
      let deliveries = connection.deliveries(stream: "S", consumer: "c", batch: 1...10)
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(10))
      deliveries.subscribe(probe)
      _ = await probe.values(10)
      #expect(await reached { deliveries.counts.fetched == 5_000 })
      probe.request(5_000)
      #expect(await probe.failure()?.reason == .badResponse)
      #expect(probe.count < 1_100 && probe.isLawful)
      connection.close()
    }
  }
#endif
