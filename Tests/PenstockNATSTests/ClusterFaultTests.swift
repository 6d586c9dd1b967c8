// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import DeliveryFaults
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  /// The node of a cluster that is killed.
  enum NATSRole: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case connected = "the node is killed to which the client is connected"
    case leader = "the node is killed that leads the stream"

    var testDescription: String { rawValue }
  }

  @Suite(.serialized, .enabled(if: NATSServer.isThere, NATSServer.missing)) struct ClusterFaultTests {
    /// The nodes that keep a stream, as the server reports them.
    private struct Keepers: Decodable {
      struct Cluster: Decodable {
        struct Replica: Decodable { let current: Bool }

        let leader: String?
        let replicas: [Replica]?
      }

      let cluster: Cluster

      static func of(_ connection: NATSConnection) async throws -> Self {
        let answer = try await connection.request(
          [], to: "$JS.API.STREAM.INFO.S", timeout: .milliseconds(500))
        return try JSONDecoder().decode(Self.self, from: Data(answer.payload))
      }

      /// Whether each of the three nodes has everything.
      var areComplete: Bool { cluster.leader != nil && cluster.replicas?.filter(\.current).count == 2 }
    }

    @Test(arguments: NATSRole.allCases)
    func `Two nodes go on while one is down`(_ role: NATSRole) async throws {
      let cluster = try await NATSCluster.start()
      defer { cluster.stop() }
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      options.requestTimeout = .seconds(1)
      options.reconnectLimit = nil
      let connection = try await NATSConnection.connect(to: cluster.addresses, options: options)
      defer { connection.close() }
      let states = Probe<NATSConnectionState, Never>()
      connection.states.subscribe(states)
      var configuration = StreamConfiguration("S", subjects: ["s.>"])
      configuration.replicas = 3
      let stream = configuration
      #expect(try await becomes { (try? await connection.createStream(stream)) != nil })
      var worker = ConsumerConfiguration("worker")
      worker.ackWait = .seconds(2)
      let consumer = worker
      #expect(try await becomes { (try? await connection.createConsumer(consumer, stream: "S")) != nil })
      var delivery = NATSDeliveryOptions()
      delivery.heartbeat = .milliseconds(200)
      delivery.failsAfter = nil
      let deliveries = connection.deliveries(
        stream: "S", consumer: "worker", batch: 1...32, refillAt: 8, options: delivery)
      let load = FaultLoad()
      defer { load.stop() }
      load.work { _ in deliveries }
      load.publish { number in
        try await connection.publishConfirmed(
          bytes("\(number)"), to: "s.n", id: "\(number)", attempts: 1, timeout: .milliseconds(500))
      }
      var rounds: [FaultFigures.Round] = []
      for _ in 0..<FaultSettings.rounds {
        #expect(try await becomes { (try? await Keepers.of(connection))?.areComplete == true })
        let node = try #require(try await victim(role, cluster, connection, states))
        let (lost, failures) = (deliveries.counts.lostCredit, load.failures)
        rounds.append(
          try await load.round(lasting: FaultSettings.length, heals: true) {
            node.kill()
          } noticedBy: {
            deliveries.counts.lostCredit > lost || load.failures > failures
          } _: {
            try await node.start()
          })
      }
      let sums = try await load.finish {
        guard let info = try? await connection.consumerInfo("worker", stream: "S") else { return false }
        return info.pending == 0 && info.unsettled == 0
      }
      print(FaultFigures("NATS, three nodes, \(role.rawValue)", rounds, sums))
    }

    private func victim(
      _ role: NATSRole, _ cluster: NATSCluster, _ connection: NATSConnection,
      _ states: Probe<NATSConnectionState, Never>
    ) async throws -> NATSServer? {
      switch role {
      case .connected:
        let address = states.values.reversed().lazy.compactMap { state in
          switch state {
          case .connected(let address), .reconnected(let address): address
          default: nil
          }
        }.first
        return cluster.servers.first { address?.hasSuffix(":\($0.port)") == true }
      case .leader:
        let name = try await Keepers.of(connection).cluster.leader
        return cluster.servers.enumerated().first { "n\($0.offset)" == name }?.element
      }
    }
  }
#endif
