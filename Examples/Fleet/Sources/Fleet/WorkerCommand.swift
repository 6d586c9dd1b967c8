// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import FleetWork
import Logging
import ServiceLifecycle

/// A worker, as a process of its own.
struct WorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Works on orders until it gets SIGTERM; for Fleet itself.")

  @Option(help: "What keeps the orders: nats or redis.")
  var on: Engine

  @Option(help: "A port of a server on this machine; may be repeated.")
  var port: [Int]

  @Option(help: "The name of the worker.")
  var name: String

  @Option(help: "How many orders it works on at a time.")
  var tasks = 8

  @Option(help: "How many milliseconds it works on an order.")
  var work = 2

  func run() async throws {
    try await withOrderBook(on, ports: port) { book in
      try await serve(book.worker(name: name, maxTasks: tasks, work: .milliseconds(work), report: Line.write))
    }
  }
}

/// The producer, as a process of its own.
struct ProducerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "producer", abstract: "Publishes orders until it gets SIGTERM; for Fleet itself.")

  @Option(help: "What keeps the orders: nats or redis.")
  var on: Engine

  @Option(help: "A port of a server on this machine; may be repeated.")
  var port: [Int]

  @Option(help: "How many orders a second.")
  var rate = 1_000

  @Option(help: "How many orders in all.")
  var limit = Int.max

  func run() async throws {
    try await withOrderBook(on, ports: port) { book in
      try await serve(book.producer(rate: rate, limit: limit, report: Line.write))
    }
  }
}

/// Runs a service until it ends, or a signal ends it: what has begun then has ten seconds.
private func serve(_ service: any Service) async throws {
  var logger = Logger(label: "fleet") { StreamLogHandler.standardError(label: $0) }
  logger.logLevel = .warning
  var configuration = ServiceGroupConfiguration(
    services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
    gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
  configuration.maximumGracefulShutdownDuration = .seconds(10)
  try await ServiceGroup(configuration: configuration).run()
}
