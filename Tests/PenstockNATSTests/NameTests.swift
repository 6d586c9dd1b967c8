// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite struct NameRules {
    static let badSubjects = [
      "", ".", "a.", ".a", "a..b", "a b", "a\tb", "a\r\nPUB evil 4\r\nevil\r\n", "a\nb", "a\0b", "a\u{7F}",
      String(repeating: "a", count: 5_000),
    ]
  }

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct NameTests {
    private func connect() async throws -> NATSConnection {
      try await .connect(to: [try await NATSServer.shared().address])
    }

    @Test(arguments: NameRules.badSubjects) func `Bad subjects are refused everywhere`(_ subject: String) async throws {
      let connection = try await connect()
      func isRefused(_ body: () async throws -> Void) async -> Bool {
        await error(body)?.reason == .invalidName
      }
      #expect(await isRefused { try await connection.publish("x", to: subject) })
      #expect(await isRefused { try await connection.publish("x", to: "a", reply: subject) })
      #expect(await isRefused { _ = try await connection.request([], to: subject) })
      #expect(await isRefused { try await connection.publishConfirmed([], to: subject) })
      let probe = Probe<NATSMessage, NATSError>()
      connection.subscribe(subject).subscribe(probe)
      #expect(await probe.failure()?.reason == .invalidName)
      let stream = uniqueName()
      #expect(await isRefused { try await connection.createStream(StreamConfiguration(stream, subjects: [subject])) })
      #expect(
        await isRefused {
          try await connection.createConsumer(ConsumerConfiguration("c", filterSubject: subject), stream: stream)
        })
      let sink = connection.streamSubscriber(failure: Never.self)
      Just(NATSPublication([], to: subject)).subscribe(sink)
      #expect(await error { try await sink.finished() }?.reason == .invalidName)
      #expect(connection.isConnected)
    }

    @Test func `Wildcards are for who subscribes`() async throws {
      let connection = try await connect()
      for subject in ["a.*", "*", ">", "a.>"] {
        #expect(await error { try await connection.publish("x", to: subject) }?.reason == .invalidName)
      }
      let probe = Probe<NATSMessage, NATSError>()
      connection.subscribe("a.>.b").subscribe(probe)
      #expect(await probe.failure()?.reason == .invalidName)
      // As part of a name, these characters stand for themselves.
      try await connection.publish("x", to: "a*b.>c")
    }

    @Test(arguments: ["", "a.b", "a b", "a*", "a>", "a/b", "a\\b", "a\r\nb", "a\0", String(repeating: "n", count: 300)])
    func `Bad names are refused everywhere`(_ name: String) async throws {
      let connection = try await connect()
      func isRefused(_ body: () async throws -> Void) async -> Bool {
        await error(body)?.reason == .invalidName
      }
      #expect(await isRefused { try await connection.createStream(StreamConfiguration(name, subjects: ["a"])) })
      #expect(await isRefused { _ = try await connection.streamInfo(name) })
      #expect(await isRefused { try await connection.deleteStream(name) })
      #expect(await isRefused { try await connection.createConsumer(ConsumerConfiguration(name), stream: "S") })
      #expect(await isRefused { try await connection.deleteConsumer("c", stream: name) })
      #expect(await isRefused { _ = try await connection.createBucket(NATSBucketConfiguration(name)) })
      let probe = Probe<NATSDelivery, NATSError>()
      connection.deliveries(stream: name, consumer: "c").subscribe(probe)
      #expect(await probe.failure()?.reason == .invalidName)
    }

    @Test func `Bad groups, headers and keys are refused`() async throws {
      let connection = try await connect()
      for headers in [
        ["": "x"], ["a b": "x"], ["a:b": "x"], ["a": "x\r\nEvil: 1"], ["a": "\0"], ["a": ""], ["ä": "x"], ["a\n": "x"],
      ] {
        #expect(await error { try await connection.publish("x", to: "a", headers: headers) }?.reason == .invalidName)
      }
      for group in ["", "a b", "a\r\nPUB evil 0\r\n\r\n"] {
        let probe = Probe<NATSMessage, NATSError>()
        connection.subscribe("a", queue: group).subscribe(probe)
        #expect(await probe.failure()?.reason == .invalidName)
      }
      let bucket = try connection.bucket("none")
      for key in ["", "a b", ".a", "a.", "a..b", "ä", "a*", ">", "a\r\n"] {
        #expect(await error { _ = try await bucket.get(key) }?.reason == .invalidName)
        #expect(await error { try await bucket.put("x", for: key) }?.reason == .invalidName)
      }
    }

    @Test func `No command gets into the protocol`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let connection = try await NATSConnection.connect(to: [server.address])
      let evil = "a 0\r\n\r\nPUB evil 4\r\nevil\r\nPUB b"
      let all = try await RawClient.read(server.port, until: "the last one") {
        _ = await error { try await connection.publish("x", to: evil) }
        _ = await error { try await connection.publish("x", to: "a", reply: evil) }
        _ = await error { try await connection.publish("x", to: "a", headers: ["b": "c\r\n\r\nevil"]) }
        _ = await error { try await connection.publish("x", to: "a", headers: ["b\r\n\r\nevil": "c"]) }
        _ = await error { _ = try await connection.request([], to: evil) }
        _ = await error { _ = try await connection.publishConfirmed([], to: evil) }
        connection.subscribe(evil).subscribe(Probe())
        connection.subscribe("a", queue: evil).subscribe(Probe())
        connection.deliveries(stream: "S", consumer: evil).subscribe(Probe())
        _ = await error { try await connection.deleteStream(evil) }
        try await connection.publish("\r\nPUB evil 0\r\n\r\n", to: "payload.may.be.anything")
        try await connection.publish("the last one", to: "end")
      }
      #expect(all.components(separatedBy: "evil").count == 2, "\(all)")
    }
  }
#endif
