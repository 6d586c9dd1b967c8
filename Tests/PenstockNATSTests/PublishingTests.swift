// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct PublishingTests {
    @Test func `A confirmation says where a message is kept, and whether it was there before`() async throws {
      let stand = try await Stand()
      let subject = "\(stand.stream).n"
      let first = try await stand.connection.publishConfirmed(bytes("x"), to: subject, id: "x")
      #expect(first == PublishConfirmation(stream: stand.stream, sequence: 1))
      let again = try await stand.connection.publishConfirmed(bytes("x"), to: subject, id: "x")
      #expect(again == PublishConfirmation(stream: stand.stream, sequence: 1, isDuplicate: true))
      let next = try await stand.connection.publishConfirmed(bytes("y"), to: subject, expectedLastSequence: 1)
      #expect(next.sequence == 2)
      let refused = await error {
        try await stand.connection.publishConfirmed(bytes("z"), to: subject, expectedLastSequence: 1)
      }
      #expect(refused?.reason == .wrongLastSequence && refused?.code == 10071)
      #expect(try await stand.connection.streamInfo(stand.stream).state.messages == 2)
    }

    @Test func `Full storage and a message too large for the stream are typed errors`() async throws {
      let server = try await NATSServer.shared()
      let connection = try await NATSConnection.connect(to: [server.address])
      var configuration = StreamConfiguration(uniqueName(), subjects: [uniqueName("small")])
      configuration.maxMessages = 1
      configuration.discard = .new
      configuration.maxMessageSize = 100
      try await connection.createStream(configuration)
      let subject = configuration.subjects[0]
      try await connection.publishConfirmed([1], to: subject)
      #expect(await error { try await connection.publishConfirmed([2], to: subject) }?.reason == .insufficientResources)
      let large = [UInt8](repeating: 0, count: 200)
      #expect(await error { try await connection.publishConfirmed(large, to: subject) }?.reason == .payloadTooLarge)
      configuration.maxBytes = 1 << 40
      let greedy = configuration
      #expect(await error { try await connection.updateStream(greedy) }?.reason == .insufficientResources)
      #expect(try await connection.purgeStream(configuration.name) == 1)
      try await connection.deleteStream(configuration.name)
    }

    @Test func `A subscriber has so many in flight at most, and all are confirmed`() async throws {
      let stand = try await Stand()
      let subject = "\(stand.stream).n"
      let most = Locked(0)
      let requested = Locked(Subscribers.Demand.none)
      let confirmed = Locked<[UInt64]>([])
      let sink = stand.connection.streamSubscriber(failure: Never.self, maxInFlight: 7) { confirmation in
        confirmed.change { $0.append(confirmation.sequence) }
      }
      Publishers.Sequence<Range<Int>, Never>(sequence: 0..<500)
        .map { number in
          most.change { $0 = max($0, sink.counts.inFlight + 1) }
          // Every second one has an id that was published before.
          return NATSPublication(bytes("\(number)"), to: subject, id: "\(number / 2)")
        }
        .handleEvents(receiveRequest: { demand in requested.change { $0 += demand } })
        .subscribe(sink)
      #expect(try await sink.finished() == .finished)
      let counts = sink.counts
      #expect((counts.received, counts.confirmed, counts.duplicates, counts.failed) == (500, 500, 250, 0))
      #expect(most.value <= 7 && confirmed.value.count == 500)
      #expect(requested.value >= 500 && requested.value <= 507)
      #expect(try await stand.connection.streamInfo(stand.stream).state.messages == 250)
    }

    @Test func `With one in flight the order is kept`() async throws {
      let stand = try await Stand()
      let subject = "\(stand.stream).n"
      let sink = stand.connection.streamSubscriber(failure: Never.self, maxInFlight: 1)
      Publishers.Sequence<Range<Int>, Never>(sequence: 0..<100)
        .map { NATSPublication(bytes("\($0)"), to: subject) }.subscribe(sink)
      try await sink.finished()
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(100))
      stand.deliveries().subscribe(probe)
      #expect(await probe.values(100).map(\.text) == (0..<100).map(String.init))
      probe.cancel()
    }

    @Test func `A message that nothing keeps cancels upstream and is the failure`() async throws {
      let stand = try await Stand()
      let subject = PassthroughSubject<NATSPublication, Never>()
      let isCancelled = Locked(false)
      let sink = stand.connection.streamSubscriber(failure: Never.self, attempts: 1)
      subject.handleEvents(receiveCancel: { isCancelled.change { $0 = true } }).subscribe(sink)
      subject.send(NATSPublication(bytes("1"), to: "\(stand.stream).n"))
      subject.send(NATSPublication(bytes("2"), to: uniqueName("nowhere")))
      #expect(await error { try await sink.finished() }?.reason == .noResponders)
      #expect(isCancelled.value && sink.counts.confirmed == 1 && sink.counts.failed == 1)
    }

    @Test func `Upstream's failure comes when everything is confirmed, and a cancel is told`() async throws {
      struct Torn: Error {}
      let stand = try await Stand()
      let publication = NATSPublication(bytes("1"), to: "\(stand.stream).n")
      let sink = stand.connection.streamSubscriber(failure: Torn.self)
      let subject = PassthroughSubject<NATSPublication, Torn>()
      subject.subscribe(sink)
      for _ in 0..<10 { subject.send(publication) }
      subject.send(completion: .failure(Torn()))
      // Its failure is upstream's, by its type.
      guard case .failure = try await sink.finished() else {
        Issue.record("It has not failed.")
        return
      }
      #expect(sink.counts.confirmed == 10)
      let other = stand.connection.streamSubscriber(failure: Never.self)
      PassthroughSubject<NATSPublication, Never>().subscribe(other)
      other.cancel()
      #expect(await error { try await other.finished() }?.reason == .cancelled)
    }

    @Test func `What is published while the server is away is kept once it is back`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      let stand = try await Stand(on: server, options: options)
      server.kill()
      #expect(await reached { !stand.connection.isConnected })
      let publishing = Task {
        try await stand.connection.publishConfirmed(
          bytes("x"), to: "\(stand.stream).n", attempts: 30, timeout: .milliseconds(200))
      }
      try await server.start()
      #expect(try await publishing.value.sequence == 1)
      #expect(try await stand.connection.streamInfo(stand.stream).state.messages == 1)
    }
  }
#endif
