// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite struct FormatTests {
    @Test func `Both forms of the subject of an acknowledgement are read`() throws {
      let short = try #require(AckSubject("$JS.ACK.ORDERS.billing.3.40.50.1700000000000000001.7"))
      #expect(short.stream == "ORDERS" && short.consumer == "billing" && short.attempt == 3)
      #expect(short.streamSequence == 40 && short.consumerSequence == 50 && short.pending == 7)
      #expect(short.date == 1_700_000_000_000_000_001)
      for rest in ["", ".random", ".random.and.more"] {
        #expect(AckSubject("$JS.ACK.hub.AbCd.ORDERS.billing.3.40.50.1700000000000000001.7\(rest)") == short)
      }
    }

    @Test(arguments: [
      "", "_INBOX.a.b", "$JS.ACK", "$JS.ACK.S.c.1.2.3.4", "$JS.ACK.S.c.1.2.3.4.5.6", "$JS.ACK.S.c.x.2.3.4.5",
      "$JS.ACK.S.c.1.2.3.4.", "$JS.ACK.S.c.1.2.3.4.99999999999999999999", "$JS.NAK.S.c.1.2.3.4.5",
    ])
    func `Other subjects are not`(_ subject: String) { #expect(AckSubject(subject) == nil) }

    @Test func `A plain confirmation is read without a decoder, and any other with it`() throws {
      func quick(_ text: String) -> PublishConfirmation? {
        bytes(text).withUnsafeBytes { PublishConfirmation(quick: $0) }
      }
      #expect(quick(#"{"stream":"S", "seq":12}"#) == .init(stream: "S", sequence: 12))
      #expect(quick(#"{"stream":"S_1","seq":9007199254740993}"#)?.sequence == 9_007_199_254_740_993)
      for other in [
        #"{"stream":"S","seq":12,"duplicate":true}"#, #"{"stream":"S","domain":"d","seq":12}"#,
        #"{"stream":"S","seq":}"#,
        #"{"stream":"S","seq":12"#, #"{"error":{"code":400}}"#, "", #"{"stream":"S","seq":99999999999999999999}"#,
      ] {
        #expect(quick(other) == nil, "\(other)")
      }
      func read(_ text: String) throws -> PublishConfirmation {
        try PublishConfirmation(answer: NATSMessage(bytes(text), subject: "a"), "a")
      }
      #expect(
        try read(#"{"stream":"S", "domain":"d", "seq":12, "duplicate":true}"#)
          == .init(stream: "S", sequence: 12, isDuplicate: true))
      let refused = #expect(throws: NATSError.self) {
        try read(
          #"{"error":{"code":503,"err_code":10077,"description":"maximum messages exceeded"},"stream":"S","seq":0}"#)
      }
      #expect(refused?.reason == .insufficientResources && refused?.code == 10077)
      #expect(#expect(throws: NATSError.self) { try read("nonsense") }?.reason == .badResponse)
    }

    @Test func `Configurations are what they were after a way through JSON`() throws {
      func way<Value: Codable & Equatable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
      }
      var stream = StreamConfiguration("S", subjects: ["a.>", "b"])
      #expect(try way(stream) == stream)
      stream.retention = .workQueue
      stream.storage = .memory
      stream.discard = .new
      stream.maxAge = .milliseconds(1_500)
      stream.maxBytes = 1_000
      stream.maxMessages = 10
      stream.maxMessagesPerSubject = 2
      stream.maxMessageSize = 99
      stream.maxConsumers = 3
      stream.duplicateWindow = .seconds(1)
      stream.summary = "what it is for"
      stream.allowsRollup = true
      stream.deniesDelete = true
      #expect(try way(stream) == stream)
      var consumer = ConsumerConfiguration("c", filterSubject: "a.*")
      #expect(try way(consumer) == consumer)
      consumer.deliverPolicy = .sequence(7)
      consumer.backoff = [.seconds(1), .seconds(5)]
      consumer.maxDeliver = 3
      consumer.maxAckPending = nil
      consumer.maxWaiting = 9
      consumer.maxRequestBatch = 8
      consumer.inactiveThreshold = .seconds(60)
      consumer.isInMemory = true
      consumer.summary = "billing"
      #expect(try way(consumer) == consumer)
      #expect(consumer.deadline(attempt: 1) == .seconds(1) && consumer.deadline(attempt: 2) == .seconds(5))
      #expect(consumer.deadline(attempt: 9) == .seconds(5))
    }
  }

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct ConfigurationTests {
    @Test func `A server keeps a configuration as it was given`() async throws {
      let connection = try await NATSConnection.connect(to: [try await NATSServer.shared().address])
      var stream = StreamConfiguration(uniqueName(), subjects: [uniqueName("a")])
      stream.maxAge = .seconds(300)
      stream.maxMessages = 100
      stream.duplicateWindow = .seconds(10)
      stream.storage = .memory
      stream.summary = "a \"test\""
      let made = try await connection.createStream(stream)
      #expect(made.configuration == stream && made.state.messages == 0)
      stream.maxMessages = 50
      #expect(try await connection.updateStream(stream).configuration == stream)
      #expect(try await connection.streamInfo(stream.name).configuration == stream)
      var consumer = ConsumerConfiguration("worker", filterSubject: stream.subjects[0])
      consumer.maxDeliver = 5
      consumer.backoff = [.seconds(1), .seconds(2)]
      let info = try await connection.createConsumer(consumer, stream: stream.name)
      #expect(info.configuration.backoff == consumer.backoff && info.configuration.maxDeliver == 5)
      #expect(info.stream == stream.name && info.name == "worker" && info.pending == 0)
      consumer.backoff = []
      consumer.ackWait = .seconds(7)
      // An existing consumer is changed only by a call that asks for a change.
      let refused = await error { try await connection.createConsumer(consumer, stream: stream.name) }
      #expect(refused?.reason == .nameInUse)
      #expect(try await connection.consumerInfo("worker", stream: stream.name).configuration.backoff.count == 2)
      #expect(try await connection.updateConsumer(consumer, stream: stream.name).configuration.ackWait == .seconds(7))
      #expect(try await connection.createConsumer(consumer, stream: stream.name).configuration.ackWait == .seconds(7))
      let other = ConsumerConfiguration("other")
      let unknown = await error { try await connection.updateConsumer(other, stream: stream.name) }
      #expect(unknown?.reason == .consumerNotFound)
      try await connection.deleteStream(stream.name)
    }

    @Test func `What is read, changed and written back keeps all the rest`() async throws {
      let connection = try await NATSConnection.connect(to: [try await NATSServer.shared().address])
      let (name, subject) = (uniqueName(), uniqueName("a"))
      func ask(_ request: String, _ body: String) async throws -> String {
        try await connection.request(bytes(body), to: "$JS.API.\(request)").text
      }
      let made = try await ask(
        "STREAM.CREATE.\(name)",
        #"{"name":"\#(name)","subjects":["\#(subject)"],"storage":"memory","retention":"limits","discard":"new","#
          + #""max_msgs":9,"max_msgs_per_subject":3,"discard_new_per_subject":true,"no_ack":true,"allow_direct":true,"#
          + #""deny_purge":true,"num_replicas":1}"#)
      #expect(!made.contains("error"))
      var stream = try await connection.streamInfo(name).configuration
      stream.maxAge = .seconds(300)
      try await connection.updateStream(stream)
      let kept = try await ask("STREAM.INFO.\(name)", "")
      for setting in ["no_ack", "allow_direct", "discard_new_per_subject", "deny_purge"] {
        #expect(kept.contains("\"\(setting)\":true"), "\(setting)")
      }
      #expect(kept.contains("\"max_age\":300000000000"))
      let consumer = try await ask(
        "CONSUMER.DURABLE.CREATE.\(name).c",
        #"{"stream_name":"\#(name)","config":{"durable_name":"c","ack_policy":"explicit","headers_only":true,"#
          + #""max_expires":60000000000,"deliver_policy":"all","replay_policy":"original","sample_freq":"50"}}"#)
      #expect(!consumer.contains("error"))
      var configuration = try await connection.consumerInfo("c", stream: name).configuration
      configuration.ackWait = .seconds(9)
      try await connection.updateConsumer(configuration, stream: name)
      let after = try await ask("CONSUMER.INFO.\(name).c", "")
      for setting in [
        #""headers_only":true"#, #""max_expires":60000000000"#, #""sample_freq":"50"#, #""replay_policy":"original""#,
        #""ack_wait":9000000000"#,
      ] {
        #expect(after.contains(setting), "\(setting)")
      }
      // A date is kept as well, but the server lets nobody change a consumer that has one.
      var late = ConsumerConfiguration("late")
      late.deliverPolicy = .time("2020-01-31T12:00:00Z")
      let info = try await connection.createConsumer(late, stream: name)
      #expect(info.configuration.deliverPolicy == late.deliverPolicy)
      #expect(try await connection.createConsumer(late, stream: name).name == "late")
      try await connection.deleteStream(name)
    }

    @Test func `Deliveries of a domain are read and settled`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      try await server.restart(domain: "hub")
      var options = NATSOptions()
      options.jetStreamPrefix = "$JS.hub.API"
      let stand = try await Stand(on: server, options: options)
      try await stand.publish(1...3)
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries { $0.confirmsAcknowledgements = true }.subscribe(probe)
      let values = await probe.values(3)
      #expect(values.map(\.sequence) == [1, 2, 3] && values.allSatisfy { $0.stream == stand.stream })
      for value in values { try await value.ack() }
      #expect(try await stand.info().unsettled == 0)
      probe.cancel()
    }
  }
#endif
