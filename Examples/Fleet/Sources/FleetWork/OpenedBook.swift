// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Does something with the orders of a server.
///
/// - Parameters:
///   - engine: What keeps the orders.
///   - ports: The ports of its servers, on this machine.
///   - body: What is done; then the connection is closed.
/// - Returns: What the closure returns.
public func withOrderBook<Result: Sendable>(
  _ engine: Engine, ports: [Int], _ body: @Sendable (any OrderBook) async throws -> Result
) async throws -> Result {
  // This is the one line that is another one for each engine.
  let book: any OrderBook =
    switch engine {
    case .nats: try await NATSOrderBook(ports: ports)
    case .redis: try await RedisOrderBook(port: ports[0])
    case .memory: MemoryOrderBook()
    }
  do {
    let result = try await body(book)
    await book.close()
    return result
  } catch {
    await book.close()
    throw error
  }
}
