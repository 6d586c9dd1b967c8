// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct ClusterTests {
    @Test func `Everything comes that was confirmed, though each server is killed once`() async throws {
      let cluster = try await NATSCluster.start()
      defer { cluster.stop() }
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      options.requestTimeout = .seconds(2)
      options.reconnectLimit = nil
      let connection = try await NATSConnection.connect(to: cluster.addresses, options: options)
      var configuration = StreamConfiguration("S", subjects: ["s.>"])
      configuration.replicas = 3
      let stream = configuration
      // Until the cluster has a leader.
      #expect(try await becomes { (try? await connection.createStream(stream)) != nil })
      var worker = ConsumerConfiguration("worker")
      worker.ackWait = .seconds(3)
      let consumer = worker
      #expect(try await becomes { (try? await connection.createConsumer(consumer, stream: "S")) != nil })
      let seen = Locked<[String: Int]>([:])
      var delivery = NATSDeliveryOptions()
      delivery.expires = .seconds(2)
      delivery.heartbeat = .milliseconds(300)
      delivery.failsAfter = nil
      let deliveries = connection.deliveries(stream: "S", consumer: "worker", batch: 1...16, options: delivery)
      let probe = Probe<String, NATSError>()
      deliveries.acknowledged(maxTasks: .max(4)) { delivery in
        seen.change { $0[delivery.text, default: 0] += 1 }
        return delivery.text
      }.subscribe(probe)
      let published = Locked(0)
      let isOver = Locked(false)
      let publishing = Task {
        var number = 0
        while !isOver.value {
          number += 1
          try await connection.publishConfirmed(
            bytes("\(number)"), to: "s.n", id: "\(number)", attempts: 100, timeout: .milliseconds(500))
          published.change { $0 = number }
        }
      }
      for server in cluster.servers {
        let count = seen.value.count
        #expect(await reached { seen.value.count >= count + 50 }, "\(seen.value.count) of \(published.value)")
        server.kill()
        #expect(await reached { published.value >= count + 100 })
        try await server.start()
      }
      isOver.change { $0 = true }
      try await publishing.value
      let count = published.value
      #expect(await reached { seen.value.count == count }, "\(seen.value.count) of \(count), \(deliveries.counts)")
      probe.cancel()
    }
  }
#endif
