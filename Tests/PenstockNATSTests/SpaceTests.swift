// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import DeliveryFaults
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  /// The resource that is used up.
  enum NATSLimit: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case stream = "a stream is full"
    case server = "the server has no more space"

    var testDescription: String { rawValue }
  }

  @Suite(.serialized, .enabled(if: NATSServer.isThere, NATSServer.missing)) struct SpaceTests {
    @Test(arguments: NATSLimit.allCases)
    func `Without space publishing is a typed error, and goes on when there is some`(_ limit: NATSLimit) async throws {
      let server = try await NATSServer.start(fileStore: limit == .server ? "1MB" : "256MB")
      defer { server.stop() }
      let connection = try await NATSConnection.connect(to: [server.address])
      defer { connection.close() }
      var stream = StreamConfiguration("S", subjects: ["s.>"])
      stream.retention = .workQueue
      if limit == .stream { (stream.maxBytes, stream.discard) = (1 << 20, .new) }
      try await connection.createStream(stream)
      try await connection.createConsumer(ConsumerConfiguration("worker"), stream: "S")
      var (number, confirmed, taken) = (0, Set<Int>(), Set<Int>())
      var rounds: [FaultFigures.Round] = []
      var deliveries = 0
      func publish() async throws(NATSError) {
        let payload = bytes("\(number + 1) " + String(repeating: "x", count: 10_000))
        try await connection.publishConfirmed(payload, to: "s.n", id: "\(number + 1)")
        number += 1
        confirmed.insert(number)
      }
      for _ in 0..<FaultSettings.rounds {
        var failure: NATSError?
        var start = ContinuousClock.now
        while failure == nil, number < 1_000_000 {
          start = .now
          do throws(NATSError) { try await publish() } catch { failure = error }
        }
        let noticed = ContinuousClock.now - start
        #expect(failure?.reason == .insufficientResources, "\(String(describing: failure))")
        // The same with a subscriber, which cancels its upstream.
        let sink = connection.streamSubscriber(failure: Never.self)
        [NATSPublication([UInt8](repeating: 1, count: 10_000), to: "s.n")].publisher.subscribe(sink)
        #expect(await error { try await sink.finished() }?.reason == .insufficientResources)
        #expect(try await connection.streamInfo("S").state.messages == confirmed.count - taken.count)
        // Confirmed messages are in the stream, and make space when they are acknowledged.
        let wanted = confirmed.count
        var options = NATSDeliveryOptions()
        options.confirmsAcknowledgements = true
        let emptied = ContinuousClock.now
        for try await delivery in connection.deliveries(stream: "S", consumer: "worker", options: options).values {
          deliveries += 1
          taken.insert(Int(delivery.text.prefix { $0 != " " })!)
          try await delivery.ack()
          if taken.count == wanted { break }
        }
        #expect(taken == confirmed)
        let made = ContinuousClock.now
        #expect(try await becomes { try await connection.streamInfo("S").state.messages == 0 })
        try await publish()
        rounds.append(.init(noticed: noticed, recovered: .now - made, silence: .now - emptied))
      }
      let name = "NATS, \(limit.rawValue)"
      print(FaultFigures(name, rounds, .init(confirmed: confirmed.count, again: deliveries - taken.count)))
    }
  }
#endif
