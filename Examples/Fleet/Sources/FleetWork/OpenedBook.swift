// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ServiceLifecycle

extension OrderBook {
  /// A worker on these orders; see ``Worker``.
  public func worker(
    name: String, maxTasks: Int = 8, work: Duration = .milliseconds(2), report: @escaping @Sendable (Report) -> Void
  ) -> any Service {
    Worker(self, name: name, maxTasks: maxTasks, work: work, report: report)
  }

  /// A producer of such orders; see ``Producer``.
  public func producer(rate: Int, limit: Int, report: @escaping @Sendable (Report) -> Void) -> any Service {
    Producer(self, rate: rate, limit: limit, report: report)
  }
}

/// Does something with the orders of a server.
///
/// - Parameters:
///   - engine: What keeps the orders.
///   - ports: The ports of its servers, on this machine.
///   - body: A closure that uses the orders; after it, the connection is closed.
/// - Returns: What the closure returns.
public func withOrderBook<Result: Sendable>(
  _ engine: Engine, ports: [Int], _ body: @Sendable (any OrderBook) async throws -> Result
) async throws -> Result {
  let book = try await retrying { try await open(engine, ports: ports) }
  do {
    let result = try await body(book)
    await book.close()
    return result
  } catch {
    await book.close()
    throw error
  }
}

/// This is where the engines differ, by a line each.
private func open(_ engine: Engine, ports: [Int]) async throws -> any OrderBook {
  switch engine {
  case .nats: try await NATSOrderBook(ports: ports)
  case .redis: try await RedisOrderBook(port: ports[0])
  case .memory: MemoryOrderBook()
  }
}

/// Tries again for a while: a server that has just been started, or started again, may not answer yet.
public func retrying<Result>(_ action: () async throws -> Result) async throws -> Result {
  let end = ContinuousClock.now + .seconds(20)
  while true {
    do { return try await action() } catch { if ContinuousClock.now > end { throw error } }
    try await Task.sleep(for: .milliseconds(50))
  }
}
