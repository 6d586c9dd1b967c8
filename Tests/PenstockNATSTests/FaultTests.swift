// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import DeliveryFaults
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  /// The parts that are taken down, and brought back, while values flow.
  enum NATSFault: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case swallowedAndHeard = "the network swallows everything, noticed by heartbeats"
    case swallowedAndPinged = "the network swallows everything, noticed by pings"
    case cut = "the network is cut"
    case paused = "the server stands still"
    case killed = "the server is killed"
    case slow = "the server ends the connection of a client that does not read"

    var testDescription: String { rawValue }
  }

  /// One after the other, since they measure time.
  @Suite(.serialized, .enabled(if: NATSServer.isThere, NATSServer.missing)) struct FaultTests {
    /// A server that is reached through a network, a client that publishes and one that works.
    private struct Scene {
      let server: NATSServer
      let proxy: LoopbackProxy
      let publishing: NATSConnection
      let working: NATSConnection
      let watching: NATSConnection
      let deliveries: NATSDeliveries
      let states = Probe<NATSConnectionState, Never>()
      let load = FaultLoad()

      init(_ fault: NATSFault) async throws {
        // A client that does not read is given up as soon as this much waits for it, or one write takes this long.
        server = try await NATSServer.start("write_deadline: \"500ms\"", "max_pending: 4194304")
        proxy = LoopbackProxy(to: server.port)
        var options = NATSOptions()
        options.reconnectWait = .milliseconds(50)
        options.requestTimeout = .seconds(1)
        options.reconnectLimit = nil
        if fault == .swallowedAndPinged { options.pingInterval = .milliseconds(250) }
        let address = "nats://127.0.0.1:\(proxy.port)"
        working = try await .connect(to: [address], options: options)
        publishing = try await .connect(to: [fault == .slow ? server.address : address], options: options)
        watching = try await .connect(to: [server.address], options: options)
        working.states.subscribe(states)
        try await watching.createStream(StreamConfiguration("S", subjects: ["s.>"]))
        var consumer = ConsumerConfiguration("worker")
        consumer.ackWait = .seconds(1)
        try await watching.createConsumer(consumer, stream: "S")
        var delivery = NATSDeliveryOptions()
        // Twice as long until it is noticed.
        if fault != .swallowedAndPinged { delivery.heartbeat = .milliseconds(200) }
        delivery.failsAfter = nil
        deliveries = working.deliveries(stream: "S", consumer: "worker", batch: 1...32, refillAt: 8, options: delivery)
        load.work { [deliveries] _ in deliveries }
        load.publish { [publishing] number in
          try await publishing.publishConfirmed(bytes("\(number)"), to: "s.n", id: "\(number)", attempts: 1)
        }
      }

      /// The number of times that the connection has been lost, by its states.
      var losses: Int { states.values.count { if case .disconnected = $0 { true } else { false } } }

      /// Whether the connection has been lost more often than that, and has been made again.
      func isBack(since losses: Int) -> Bool {
        // The rest of a flood continues to be dropped, which the states report as well.
        let last = states.values.last { if case .slowConsumer = $0 { false } else { true } }
        return if case .reconnected? = last { self.losses > losses } else { false }
      }

      func stop() {
        load.stop()
        for connection in [publishing, working, watching] { connection.close() }
        proxy.stop()
        server.stop()
      }
    }

    @Test(arguments: NATSFault.allCases)
    func `Nothing that was confirmed is missing, and what was not acknowledged comes again`(
      _ fault: NATSFault
    ) async throws {
      let scene = try await Scene(fault)
      defer { scene.stop() }
      var rounds: [FaultFigures.Round] = []
      for _ in 0..<FaultSettings.rounds { rounds.append(try await round(fault, scene)) }
      let sums = try await scene.load.finish {
        let info = try await scene.watching.consumerInfo("worker", stream: "S")
        return info.pending == 0 && info.unsettled == 0
      }
      // Messages that have been published again because no answer came are in the stream once.
      #expect(try await scene.watching.streamInfo("S").state.messages == sums.confirmed)
      let length = fault == .killed ? "" : ", for \(FaultSettings.length)"
      print(FaultFigures("NATS, \(fault.rawValue)\(length)", rounds, sums))
    }

    private func round(_ fault: NATSFault, _ scene: Scene) async throws -> FaultFigures.Round {
      let (lost, losses) = (scene.deliveries.counts.lostCredit, scene.losses)
      let length = FaultSettings.length
      let round: FaultFigures.Round
      switch fault {
      case .swallowedAndHeard:
        round = try await scene.load.round(lasting: length) {
          scene.proxy.set(.swallowed)
        } noticedBy: {
          scene.deliveries.counts.lostCredit > lost
        } _: {
          // The connection is the same: no ping has gone unanswered for long enough.
          if length < .seconds(10) { #expect(scene.working.isConnected && scene.losses == losses) }
          scene.proxy.set(.open)
        }
      case .swallowedAndPinged, .cut:
        round = try await scene.load.round(lasting: length) {
          scene.proxy.set(fault == .cut ? .cut : .swallowed)
        } noticedBy: {
          scene.losses > losses
        } _: {
          scene.proxy.set(.open)
        }
      case .paused:
        round = try await scene.load.round(lasting: length) {
          scene.server.signal(SIGSTOP)
        } noticedBy: {
          scene.deliveries.counts.lostCredit > lost
        } _: {
          scene.server.signal(SIGCONT)
        }
      case .killed:
        round = try await scene.load.round(lasting: .zero) {
          scene.server.kill()
        } noticedBy: {
          scene.losses > losses
        } _: {
          try await scene.server.start()
        }
      case .slow: return try await slowRound(scene)
      }
      if fault != .swallowedAndHeard, fault != .paused {
        // The states say so, and in this order.
        #expect(await reached { scene.isBack(since: losses) })
      }
      return round
    }

    /// Sends more to a client than it reads, until the server gives it up.
    private func slowRound(_ scene: Scene) async throws -> FaultFigures.Round {
      func count() -> Int { scene.server.log.components(separatedBy: "Slow Consumer Detected").count - 1 }
      let (before, losses) = (count(), scene.losses)
      // Gigabytes come before the fault begins, and are not kept.
      let flood = Probe<Int, NATSError>()
      scene.working.subscribe("flood", buffering: .dropOldest(10)).map(\.payload.count).subscribe(flood)
      try await scene.working.flush()
      let isOver = Locked(false)
      let flooding = Task {
        while !isOver.value { try await scene.publishing.publish([UInt8](repeating: 1, count: 100_000), to: "flood") }
      }
      let round = try await scene.load.round(lasting: FaultSettings.length) {
        scene.proxy.set(.swallowedToClients)
      } noticedBy: {
        count() > before
      } _: {
        isOver.change { $0 = true }
        try await flooding.value
        scene.proxy.set(.open)
      }
      #expect(await reached { scene.isBack(since: losses) }, "\(scene.states.values)")
      flood.cancel()
      return round
    }
  }
#endif
