// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Hummingbird
public import Logging
import PenstockConcurrency
import ServerSentEvents
public import ServiceLifecycle
public import Ticker

/// Makes a server that serves a ticker, and optionally a feed of quotes.
///
/// - Parameters:
///   - hostname: The address to listen at.
///   - port: The port to listen at; 0 takes a free one.
///   - ticker: The ticker that all requests share.
///   - feed: How often the server itself reports a quote; `nil` if only clients report them.
///   - logger: The logger for the server's messages.
///   - onRunning: Called with the port once requests are accepted.
/// - Returns: A service. It stops within moments of a graceful shutdown, whoever listens.
public func tickerApplication(
  hostname: String = "127.0.0.1", port: Int, ticker: ServerTicker, feed: Duration? = nil, logger: Logger,
  onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some Service {
  var application = Application(
    router: routes(of: ticker),
    server: .eventStreams(),
    configuration: .init(address: .hostname(hostname, port: port), serverName: "ticker"),
    onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
    logger: logger)
  if let feed { application.addServices(Feed(ticker: ticker, interval: feed)) }
  return application
}

/// Returns the service's assessment of a quote.
///
/// A real service would ask another service.
///
/// - Parameter quote: The quote.
/// - Returns: Whether its price is round.
@Sendable
public func assess(_ quote: Quote) async -> Assessment {
  try? await Task.sleep(for: .milliseconds(20))
  return Assessment(of: quote, quote.price % 100 == 0 ? "round" : "odd")
}
