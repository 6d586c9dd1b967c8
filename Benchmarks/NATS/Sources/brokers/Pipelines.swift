// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockConcurrency
import PenstockNATS

/// Measures `acknowledged`, beside the fastest code that a user could write.
struct Pipelines {
  /// A way to take all messages of a stream.
  private struct Way: Sendable {
    let name: String
    let take: @Sendable (NATSConnection, _ count: Int) async throws -> Void
  }

  private let nats: NATSConnection
  private let address: String
  private let count: Int
  private let rounds: Int
  private let ways: [Way]

  init(_ nats: NATSConnection, _ address: String, count: Int, rounds: Int, only: Int?) {
    (self.nats, self.address, self.count, self.rounds) = (nats, address, count, rounds)
    ways = only.map { [Self.ways[$0]] } ?? Self.ways
  }

  private static let ways = [
    Way(name: "sink, ack in a task, refillAt: 500") { connection, count in
      try await settle(connection.deliveries(stream: "BENCH", consumer: "c", batch: 1...1_000, refillAt: 500), count)
    },
    Way(name: "acknowledged, 16 tasks, refillAt: 500") { connection, count in
      let deliveries = connection.deliveries(stream: "BENCH", consumer: "c", batch: 1...1_000, refillAt: 500)
      try await finish(deliveries.acknowledged(maxTasks: .max(16)) { $0.payload.count }, count)
    },
    Way(name: "acknowledged, 8 tasks, refillAt: 32") { connection, count in
      let deliveries = connection.deliveries(stream: "BENCH", consumer: "c", refillAt: 32)
      try await finish(deliveries.acknowledged(maxTasks: .max(8)) { $0.payload.count }, count)
    },
    Way(name: "acknowledged, 8 tasks, as the guide has it") { connection, count in
      let deliveries = connection.deliveries(stream: "BENCH", consumer: "c")
      try await finish(deliveries.acknowledged(maxTasks: .max(8)) { $0.payload.count }, count)
    },
    Way(name: "acknowledged, one task, defaults") { connection, count in
      let deliveries = connection.deliveries(stream: "BENCH", consumer: "c")
      try await finish(deliveries.acknowledged { $0.payload.count }, count)
    },
  ]

  func run() async throws {
    var rates = [[Double]](repeating: [], count: ways.count)
    for _ in 0..<rounds {
      for (index, way) in ways.enumerated() {
        let workload = try await Workload(nats, address, size: 1_024, count: count, batch: 1_000)
        try await workload.publishAll()
        let connection = try await NATSConnection.connect(to: [address])
        let start = ContinuousClock.now
        try await way.take(connection, count)
        try await connection.flush()
        rates[index].append(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
        connection.close()
        try await nats.deleteStream("BENCH")
      }
    }
    print("1 KiB, messages/s                            median   ratio   (\(rounds) rounds of \(count))")
    let reference = median(rates[0])
    for (way, rates) in zip(ways, rates) {
      let name = way.name.padding(toLength: 44, withPad: " ", startingAt: 0)
      print(name + String(format: "%7.0f %7.2f", median(rates), median(rates) / reference))
    }
  }

  /// Waits for a number of results of `acknowledged`, which has settled their deliveries.
  private static func finish(_ results: some Publisher<Int, NATSError>, _ count: Int) async throws {
    var left = count
    try await wait { end in
      results.sink(receiveCompletion: { end($0) }) { _ in
        left -= 1
        if left == 0 { end(.finished) }
      }
    }
  }

  /// Acknowledges a number of deliveries, each in a task, and waits for the last one.
  private static func settle(_ deliveries: NATSDeliveries, _ count: Int) async throws {
    var left = count
    try await wait { end in
      deliveries.sink(receiveCompletion: { end($0) }) { delivery in
        Task { try await delivery.ack() }
        left -= 1
        if left == 0 { end(.finished) }
      }
    }
    while deliveries.counts.acknowledged < count { await Task.yield() }
  }

  private static func wait(
    _ subscribe: (@escaping (Subscribers.Completion<NATSError>) -> Void) -> AnyCancellable
  ) async throws {
    let (ends, end) = AsyncThrowingStream<Never, any Error>.makeStream()
    let subscription = subscribe { completion in
      if case .failure(let error) = completion { end.finish(throwing: error) } else { end.finish() }
    }
    for try await _ in ends {}
    subscription.cancel()
  }
}
