// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import DeliveryFaults
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.serialized, .enabled(if: NATSServer.isThere, NATSServer.missing)) struct KilledWorkerTests {
    /// The number of deliveries that a worker acknowledges, and the number of further ones that it has processed when
    /// it is killed, with others of its batch.
    private static let (settled, done) = (10, 5)

    @Test func `What a worker had that is killed comes to another one, and what it had acknowledged does not`()
      async throws
    {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let stand = try await Stand(on: server) { $0.ackWait = .seconds(1) }
      var rounds: [FaultFigures.Round] = []
      var again = 0
      for round in 0..<FaultSettings.rounds {
        let first = round * 100 + 1
        try await stand.publish(first..<first + 100)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [address = server.address as String, stream = stand.stream as String] in
          let connection = try await NATSConnection.connect(to: [address])
          var options = NATSDeliveryOptions()
          options.confirmsAcknowledgements = true
          var count = 0
          for try await delivery in connection.deliveries(
            stream: stream, consumer: "worker", batch: 32...32, refillAt: 0, options: options
          ).values {
            count += 1
            if count <= Self.settled { try await delivery.ack() }
            if count == Self.settled + Self.done { kill(getpid(), SIGKILL) }
          }
        }
        let killed = ContinuousClock.now
        let doneBefore = first + Self.settled..<first + Self.settled + Self.done
        var (numbers, attempts) = (Set<Int>(), [Int: Int]())
        for try await delivery in stand.deliveries().values {
          let number = Int(delivery.text)!
          if !numbers.insert(number).inserted || doneBefore.contains(number) { again += 1 }
          attempts[number] = delivery.attempt
          try await delivery.ack()
          if numbers.count == 100 - Self.settled { break }
        }
        #expect(numbers == Set(first + Self.settled..<first + 100))
        // All of its batch.
        #expect(attempts.count { $0.value > 1 } >= 32 - Self.settled)
        #expect(try await becomes { try await stand.info().unsettled == 0 })
        rounds.append(.init(noticed: nil, recovered: .now - killed, silence: .now - killed))
      }
      print(FaultFigures("NATS, a worker is killed", rounds, .init(confirmed: 100 * rounds.count, again: again)))
    }
  }
#endif
