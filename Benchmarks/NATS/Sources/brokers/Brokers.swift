// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Baseline
import Foundation
import Penstock
import PenstockConcurrency
import PenstockNATS

@main
struct Brokers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "brokers",
    abstract: "PenstockNATS beside a program in C over the same client library: messages a second.",
    discussion: """
      Starts a nats-server on a port of its own, with a stream in memory. Both sides publish with as many messages in flight,
      and consume in batches of the same size; they take turns, and the medians of the rounds are compared.
      """)

  @Option(help: "How many pairs of measurements the medians are taken from.")
  var rounds = 7

  @Option(help: "How many messages a measurement has, at most; large ones have fewer.")
  var count = 50_000

  @Option(help: "How many messages are in flight, and in a batch.")
  var batch = 1_000

  @Option(name: .customLong("size"), help: "The bytes of a payload; may be repeated.")
  var sizes = [16, 1_024, 65_536]

  @Flag(help: "Exit with status 1 if the adapter has less than 0.8 of the messages a second.")
  var check = false

  @Flag(help: "Instead of speed: a subscriber that takes 100 a second while a million messages wait.")
  var slow = false

  @Flag(help: "Instead of C: `acknowledged`, beside a `sink` that acknowledges in a task.")
  var pipelines = false

  @Option(help: "Only this one of the pipelines, as for a profile.")
  var only: Int?

  func run() async throws {
    let server = try Server()
    defer { server.stop() }
    let nats = try await server.connect()
    if pipelines { return try await Pipelines(nats, server.address, count: count, rounds: rounds, only: only).run() }
    if slow { return try await SlowSubscriber(nats, server.address).run() }
    print("                 C, messages/s   Penstock   ratio   (medians of \(rounds) pairs)")
    var worst = Double.infinity
    for size in sizes {
      let count = min(count, 400_000_000 / size / 2, size > 10_000 ? 2_000 : count)
      var rates: [String: [Double]] = [:]
      for _ in 0..<rounds {
        // Each round has a stream of its own: neither side finds leftovers of the other.
        for side in ["c", "penstock"] {
          let run = try await Workload(nats, server.address, size: size, count: count, batch: batch)
          let seconds = side == "c" ? try run.inC() : try await run.inPenstock()
          rates["publish \(side)", default: []].append(Double(count) / seconds.publish)
          rates["consume \(side)", default: []].append(Double(count) / seconds.consume)
          try await nats.deleteStream("BENCH")
        }
      }
      for work in ["publish", "consume"] {
        let (c, penstock) = (median(rates["\(work) c"]!), median(rates["\(work) penstock"]!))
        worst = min(worst, penstock / c)
        print(String(format: "%@ %6d B %14.0f %10.0f %7.2f", work, size, c, penstock, penstock / c))
      }
    }
    if check, worst < 0.8 { throw ExitCode(1) }
  }

}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// A NATS server on the loopback address.
struct Server {
  struct NotThere: Error, CustomStringConvertible {
    let description = "nats-server does not start: Utilities/brokers installs it."
  }

  let address: String
  private let process: Process
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "brokers-\(UUID().uuidString)")
    let port = Int.random(in: 20_000...30_000)
    address = "nats://127.0.0.1:\(port)"
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "nats-server", "-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", folder.path(percentEncoded: false),
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Connects as soon as the server accepts clients.
  func connect() async throws -> NATSConnection {
    for _ in 0..<100 {
      if let connection = try? await NATSConnection.connect(to: [address]) { return connection }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw NotThere()
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// Messages that are published and consumed.
struct Workload {
  struct Failed: Error {}

  private let nats: NATSConnection
  private let address: String
  private let size: Int
  private let count: Int
  private let batch: Int

  /// Makes a stream in memory, with a consumer.
  init(_ nats: NATSConnection, _ address: String, size: Int, count: Int, batch: Int) async throws {
    (self.nats, self.address, self.size, self.count, self.batch) = (nats, address, size, count, batch)
    var stream = StreamConfiguration("BENCH", subjects: ["bench"])
    stream.storage = .memory
    _ = try await nats.createStream(stream)
    var consumer = ConsumerConfiguration("c")
    consumer.maxAckPending = nil
    _ = try await nats.createConsumer(consumer, stream: "BENCH")
  }

  func inC() throws -> (publish: Double, consume: Double) {
    let publish = baseline_publish(address, "bench", Int32(size), Int32(count), Int32(batch))
    let consume = baseline_consume(address, "BENCH", "c", "bench", Int32(count), Int32(batch))
    if publish < 0 || consume < 0 { throw Failed() }
    return (publish, consume)
  }

  func inPenstock() async throws -> (publish: Double, consume: Double) {
    let connection = try await NATSConnection.connect(to: [address])
    let publish = try await seconds { try await publishAll(connection) }
    let consume = try await seconds {
      let consumed = connection.deliveries(stream: "BENCH", consumer: "c", batch: 1...batch, refillAt: nil)
        .prefix(count)
      for try await delivery in consumed.buffer(size: batch, prefetch: .keepFull, whenFull: .dropNewest).values {
        try await delivery.ack()
      }
      try await connection.flush()
    }
    connection.close()
    return (publish, consume)
  }

  func publishAll() async throws { try await publishAll(nats) }

  private func publishAll(_ connection: NATSConnection) async throws {
    let payload = [UInt8](repeating: 0, count: size)
    let writer = connection.streamSubscriber(failure: Never.self, maxInFlight: batch)
    (0..<count).publisher.map { _ in NATSPublication(payload, to: "bench") }.subscribe(writer)
    try await writer.finished()
    guard writer.counts.confirmed == count else { throw Failed() }
  }

  private func seconds(_ work: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
