// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Hummingbird
public import ItemDatabase
public import Logging
public import PenstockInspector
import ServerSentEvents
public import ServiceLifecycle

/// Makes a server for the search.
///
/// - Parameters:
///   - hostname: The address to listen at.
///   - port: The port to listen at; 0 takes a free one.
///   - visitors: The visitors, which the caller may count.
///   - counts: What has happened to the queries.
///   - patience: The time limits for clients.
///   - pipelines: The window into the running pipelines.
///   - logger: The logger for the server's messages.
///   - additionalRoutes: Adds further routes.
///   - onRunning: Called with the port once requests are accepted.
/// - Returns: A service. It stops within moments of a graceful shutdown, whoever listens, and after that no visitors
///   are left.
/// - Throws: If the files of the page are missing.
public func itemSearchApplication(
  hostname: String = "127.0.0.1", port: Int, visitors: Visitors, counts: QueryCounts,
  patience: Patience = Patience(), pipelines: Inspector.Endpoint = Inspector.Endpoint(), logger: Logger,
  additionalRoutes: (Router<BasicRequestContext>) -> Void = { _ in },
  onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) throws -> some Service {
  Application(
    router: try routes(for: visitors, counts: counts, pipelines: pipelines, additionalRoutes: additionalRoutes),
    server: .eventStreams(
      heartbeat: patience.heartbeat, writeLimit: patience.writeLimit, requestLimit: patience.requestLimit),
    configuration: .init(address: .hostname(hostname, port: port), serverName: "item-search"),
    onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
    logger: logger)
}

/// The time limits for clients.
public struct Patience: Sendable {
  /// The time after which a quiet stream shows that it is alive.
  public var heartbeat: Duration
  /// How long written data may take to move on.
  public var writeLimit: Duration
  /// How long a request may take to arrive.
  public var requestLimit: Duration

  /// Creates limits.
  public init(
    heartbeat: Duration = .seconds(15), writeLimit: Duration = .seconds(60), requestLimit: Duration = .seconds(10)
  ) {
    (self.heartbeat, self.writeLimit, self.requestLimit) = (heartbeat, writeLimit, requestLimit)
  }
}

/// A service that closes a database when the services after it have stopped.
public struct DatabaseCloser: Service {
  private let database: ItemDatabase
  private let logger: Logger

  /// Creates the service.
  ///
  /// In a group it goes before the services that use the database: services are stopped in the reverse order.
  public init(_ database: ItemDatabase, logger: Logger) {
    (self.database, self.logger) = (database, logger)
  }

  /// Waits for the shutdown.
  public func run() async throws {
    try await gracefulShutdown()
    try database.close()
    logger.info("database closed")
  }
}
