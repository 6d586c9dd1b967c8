// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Hummingbird
import ItemDatabase
import Logging
import LoopbackClient
import PenstockOperators
import ServiceLifecycle
import Testing

@testable import ItemSearchService

/// A server on a free port, with a database in a folder of its own.
struct TestServer {
  let client: Client
  let visitors: Visitors
  let counts: QueryCounts
  let group: ServiceGroup

  /// Runs a server while `body` is a client of it, and stops it gracefully.
  static func run(
    items: ItemSource = .shipped, limit: Int = 100, patience: Patience = Patience(),
    archive: @escaping @Sendable () -> Bool = { false },
    additionalRoutes: (Router<BasicRequestContext>) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "item-search-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let counts = QueryCounts()
    let database = try ItemDatabase(path: folder.appending(path: "items.sqlite").path, source: items) {
      counts.count($0)
    }
    let visitors = Visitors(
      database: database, archive: Archive(database: database, delay: .zero, isLost: archive),
      policy: .fixed(4, delay: .milliseconds(1)), limit: limit, logger: logger)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = try itemSearchApplication(
      port: 0, visitors: visitors, counts: counts, patience: patience, logger: logger,
      additionalRoutes: additionalRoutes, onRunning: { port.yield($0) })
    let group = ServiceGroup(
      configuration: .init(services: [DatabaseCloser(database, logger: logger), application], logger: logger))
    async let running: Void = group.run()
    for await port in ports {
      do {
        try await body(TestServer(client: Client(port: port), visitors: visitors, counts: counts, group: group))
      } catch {
        await group.triggerGracefulShutdown()
        throw error
      }
      break
    }
    await group.triggerGracefulShutdown()
    try await running
    // No visitor is left, and no open query.
    #expect(visitors.count == 0)
    #expect(await becomes { counts.now.open == 0 })
  }

  /// Whether a visitor that doesn't read is held back: both it and a visitor that reads have asked for that many
  /// searches, and four of its own have not begun.
  ///
  /// How many answers the sockets take before is up to the system, tens of megabytes on some: the tests continue until
  /// it is held back. On a machine with other work, a search may also not begin because the next filter came too soon,
  /// but not four of them.
  func holdsBack(after rounds: Int) -> Bool { counts.now.began <= 2 * rounds - 4 }

  /// Opens a page: the stream of a new visitor.
  func visit<Result: Sendable>(
    _ body: (inout Visit) async throws -> Result
  ) async throws -> Result {
    try await client.request(.GET, "/events") { [client] response in
      var visit = try await Visit(client, response)
      return try await body(&visit)
    }
  }
}

/// Repeats a few times what depends on keys that arrive within 0.3 seconds: a machine with other work may stop between
/// them.
///
/// The effect of a pause is tested in virtual time; see `ItemListControllerTests`.
func attempts(_ body: () async throws -> Bool) async throws -> Bool {
  for _ in 1...5 {
    if try await body() { return true }
  }
  return false
}

/// Waits until a condition is true, or a minute has passed.
func becomes(_ condition: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while !condition() {
    if ContinuousClock.now > end { return false }
    await Task.yield()
  }
  return true
}
