// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct BufferingTests {
    /// Publishes 1 to 10 while the subscriber has requested two, then lets it take the rest.
    private func outcome(_ buffering: NATSBuffering) async throws -> (
      values: [String], dropped: Int, told: Int, failure: NATSError?
    ) {
      let connection = try await NATSConnection.connect(to: [try await NATSServer.shared().address])
      let place = uniqueName("core")
      let (probe, marker) = (Probe<NATSMessage, NATSError>(demand: .max(2)), Probe<NATSMessage, NATSError>())
      let states = Probe<NATSConnectionState, Never>()
      connection.states.subscribe(states)
      let messages = connection.subscribe(place, buffering: buffering)
      messages.subscribe(probe)
      connection.subscribe(place).subscribe(marker)
      for number in 1...2 { try await connection.publish("\(number)", to: place) }
      _ = await probe.values(2)
      for number in 3...10 { try await connection.publish("\(number)", to: place) }
      _ = await marker.values(10)
      try await connection.flush()
      // The other subscription has a thread of its own.
      #expect(
        await reached {
          probe.count == 2 && (messages.dropped == 5 || buffering == .fail(3) || buffering == .fail(10_000))
        })
      #expect(probe.count == 2)
      probe.request(100)
      var failure: NATSError?
      if buffering == .fail(3) { failure = await probe.failure() } else { await connection.drain() }
      _ = await probe.end()
      #expect(probe.isLawful)
      var told = 0
      for state in states.values { if case .slowConsumer(place, let dropped) = state { told = max(told, dropped) } }
      return (probe.values.map(\.text), messages.dropped, told, failure)
    }

    @Test func `The oldest give way`() async throws {
      let outcome = try await outcome(.dropOldest(3))
      #expect(outcome.values == ["1", "2", "8", "9", "10"] && outcome.dropped == 5 && outcome.told == 4)
    }

    @Test func `The newest give way`() async throws {
      let outcome = try await outcome(.dropNewest(3))
      #expect(outcome.values == ["1", "2", "3", "4", "5"] && outcome.dropped == 5 && outcome.told == 4)
    }

    @Test func `Too many are a failure, behind those that wait`() async throws {
      let outcome = try await outcome(.fail(3))
      #expect(outcome.values == ["1", "2", "3", "4", "5"] && outcome.failure?.reason == .overflow)
    }

    @Test func `Bytes are a limit as well, and one message fits whatever it has`() async throws {
      let connection = try await NATSConnection.connect(to: [try await NATSServer.shared().address])
      let place = uniqueName("core")
      let (probe, lossy) = (Probe<NATSMessage, NATSError>(demand: .none), Probe<NATSMessage, NATSError>(demand: .none))
      connection.subscribe(place, maxBytes: 1_000).subscribe(probe)
      let messages = connection.subscribe(place, buffering: .dropOldest(100), maxBytes: 1_000)
      messages.subscribe(lossy)
      for count in [2_000, 400, 400, 400] {
        try await connection.publish([UInt8](repeating: 1, count: count), to: place)
      }
      try await connection.flush()
      #expect(await reached { messages.dropped == 2 })
      probe.request(10)
      lossy.request(10)
      #expect(await probe.failure()?.reason == .overflow)
      #expect(probe.values.map(\.payload.count) == [2_000])
      #expect(await lossy.values(2).map(\.payload.count) == [400, 400])
      lossy.cancel()
    }

    @Test func `What there is room for waits`() async throws {
      let outcome = try await outcome(.fail(10_000))
      #expect(outcome.values == (1...10).map(String.init) && outcome.dropped == 0 && outcome.told == 0)
    }
  }
#endif
