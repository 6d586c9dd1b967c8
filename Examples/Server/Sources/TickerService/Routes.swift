// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Hummingbird
import Penstock
public import PenstockConcurrency
import PenstockInspector
import PipelineRoutes
import ServerSentEvents
public import Ticker

/// The ticker of a server.
public typealias ServerTicker = Ticker<TaskScheduler<ContinuousClock>>

/// Makes the routes of a ticker.
///
/// | route | what it does |
/// |---|---|
/// | `POST /quotes` | reports a quote: `{"symbol": "ACME", "price": 1234}` |
/// | `GET /summaries` | each symbol's prices so far, added up once for all clients |
/// | `GET /rests/ACME?ms=300` | the quotes at which the price rested for that long |
/// | `GET /spread/ACME/BOLT` | the distance of two prices |
/// | `GET /assessments` | assessments of the quotes, two at a time |
/// | `GET /watching` | how many streams are open |
/// | `GET /pipelines` | a window into the running pipelines |
///
/// - Parameter ticker: The ticker that all requests share.
/// - Returns: The router.
public func routes(of ticker: ServerTicker) -> Router<BasicRequestContext> {
  let router = Router()
  router.post("quotes") { request, context in
    // The page of another site could send any other type without asking.
    guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
      throw HTTPError(.unsupportedMediaType, message: "a quote comes as application/json: curl --json")
    }
    let quote = try await request.decode(as: Quote.self, context: context)
    guard (1...Quote.longestSymbol).contains(quote.symbol.utf8.count), quote.price >= 0 else {
      throw HTTPError(
        .unprocessableContent,
        message: "a quote has a symbol of 1 to \(Quote.longestSymbol) bytes, and a price that is not negative")
    }
    guard ticker.report(quote) else {
      throw HTTPError(
        .serviceUnavailable, message: "there are \(Quote.mostSymbols) symbols already, and this is another")
    }
    return HTTPResponse.Status.noContent
  }
  router.get("summaries") { request, _ in
    stream(ticker.summaries, as: "summary", to: request)
  }
  router.get("rests/:symbol") { request, context in
    let symbol = try context.parameters.require("symbol")
    let milliseconds = request.uri.queryParameters.get("ms", as: Int.self) ?? 300
    guard (1...3_600_000).contains(milliseconds) else {
      throw HTTPError(.badRequest, message: "ms is a number of milliseconds from 1 to 3600000")
    }
    return stream(ticker.rests(of: symbol, for: .milliseconds(milliseconds)), as: "rest", to: request)
  }
  router.get("spread/:first/:second") { request, context in
    let (first, second) = (try context.parameters.require("first"), try context.parameters.require("second"))
    return stream(ticker.spread(of: first, and: second), as: "spread", to: request)
  }
  router.get("assessments") { request, _ in
    stream(ticker.assessments(), as: "assessment", to: request)
  }
  router.get("watching") { _, _ in "\(ticker.watching)" }
  router.add(Inspector.Endpoint())
  return router
}

/// A slow client misses the oldest values: of prices, the newest count.
private func stream<Value: Encodable & Sendable>(
  _ values: AnySendablePublisher<Value, Never>, as name: String, to request: Request
) -> Response {
  let events =
    values
    .tryMap { try ServerSentEvent(name, $0) }
    // A client that has read this misses nothing from then on: the stream has subscribed to the values by then.
    .prepend(ServerSentEvent(comment: "connected"))
  return .serverSentEvents(events.values(buffering: .newest(256)), to: request)
}
