// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct DeliveryBytesTests {
    @Test func `A request asks for no more bytes than may wait, and what does not fit is asked for anew`() async throws
    {
      let stand = try await Stand()
      let payload = [UInt8](repeating: 7, count: 300_000)
      for _ in 1...20 { try await stand.connection.publishConfirmed(payload, to: "\(stand.stream).n") }
      let probe = Probe<NATSDelivery, NATSError>(demand: .max(20))
      let deliveries = stand.deliveries(batch: 1...20) { $0.maxBytes = 1_000_000 }
      deliveries.subscribe(probe)
      let values = await probe.values(20)
      #expect(values.map(\.sequence) == (1...20).map { UInt64($0) } && values.allSatisfy { $0.attempt == 1 })
      // Three fit into a million bytes.
      #expect(deliveries.counts.returnedCredit > 0 && deliveries.counts.credit == 0 && probe.isLawful)
      for value in values { try await value.ack() }
      #expect(try await becomes { try await stand.info().unsettled == 0 })
      probe.cancel()
    }

    @Test func `A message that is larger than a request may ask for is a failure, behind what has come`() async throws {
      let stand = try await Stand()
      try await stand.publish(1...1)
      try await stand.connection.publishConfirmed([UInt8](repeating: 7, count: 5_000), to: "\(stand.stream).n")
      let probe = Probe<NATSDelivery, NATSError>()
      stand.deliveries { $0.maxBytes = 1_000 }.subscribe(probe)
      let completion = await probe.end()
      guard case .failure(let error) = completion else {
        Issue.record("\(String(describing: completion))")
        return
      }
      #expect(error.reason == .limitExceeded && error.description.contains("raise `maxBytes`"))
      #expect(await probe.values(1).map(\.text) == ["1"])
    }
  }
#endif
