// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
public import Hummingbird
import ItemDatabase
import NIOCore
import PenstockConcurrency
public import PenstockInspector
import PipelineRoutes
import ServerSentEvents

/// Makes the routes of the search.
///
/// | route | what it does |
/// |---|---|
/// | `GET /` | the page |
/// | `GET /events` | a new visitor's stream, which begins with the visitor's name |
/// | `POST /visitors/NAME/filter?key=3` | the content of the visitor's field after the third keystroke |
/// | `POST /visitors/NAME/pace?ms=1000` | delays each answer by that time |
/// | `POST /visitors/NAME/selection?item=7` | asks the archive for an item |
/// | `POST /visitors/NAME/token` | has the visitor's token renewed |
/// | `GET /pipelines` | a window into the running pipelines |
/// | `GET /counts` | how many visitors there are, and what has happened to all queries |
///
/// - Parameters:
///   - visitors: The present visitors.
///   - counts: What has happened to the queries.
///   - pipelines: The window into the running pipelines.
///   - additionalRoutes: Adds further routes, such as a page about the running pipelines.
/// - Returns: The router.
/// - Throws: If the files of the page are missing.
public func routes(
  for visitors: Visitors, counts: QueryCounts, pipelines: Inspector.Endpoint = Inspector.Endpoint(),
  additionalRoutes: (Router<BasicRequestContext>) -> Void = { _ in }
) throws -> Router<BasicRequestContext> {
  let router = Router()
  let page = try Page()
  router.get("/") { _, _ in try page.response("index.html") }
  router.get("files/:name") { _, context in try page.response(try context.parameters.require("name")) }
  router.get("events") { request, _ in
    guard !visitors.isFull else {
      throw HTTPError(.serviceUnavailable, message: "too many visitors are here; try again later")
    }
    return Response.serverSentEvents(visitors.events.values(buffering: .suspending(1)), to: request)
  }
  router.get("counts") { _, _ in try Response.json(Counts(visitors.count, counts.now)) }

  @Sendable func visitor(_ context: BasicRequestContext) throws -> Visitor {
    guard let visitor = visitors[try context.parameters.require("name")] else {
      throw HTTPError(
        .notFound, message: "there is no such visitor: its stream has ended; begin another one at /events")
    }
    return visitor
  }
  router.post("visitors/:name/filter") { request, context in
    let visitor = try visitor(context)
    let key = try request.number("key", in: 1...Int.max)
    await visitor.type(try await filter(in: request), key: key)
    return HTTPResponse.Status.noContent
  }
  router.post("visitors/:name/pace") { request, context in
    try visitor(context).setPace(milliseconds: try request.number("ms", in: 0...10_000))
    return HTTPResponse.Status.noContent
  }
  router.post("visitors/:name/selection") { request, context in
    try await visitor(context).select(Int64(try request.number("item", in: 1...Int.max)))
    return HTTPResponse.Status.noContent
  }
  router.post("visitors/:name/token") { _, context in
    try visitor(context).renewToken()
    return HTTPResponse.Status.noContent
  }
  router.add(pipelines)
  additionalRoutes(router)
  return router
}

/// How long a filter may be, in Unicode scalars.
let longestFilter = 200

private func filter(in request: Request) async throws -> String {
  let bytes: ByteBuffer
  do {
    // Four bytes for a scalar.
    bytes = try await request.body.collect(upTo: 4 * longestFilter)
  } catch is NIOTooManyBytesError {
    throw HTTPError(.contentTooLarge, message: "a filter has at most \(longestFilter) characters")
  }
  guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
    throw HTTPError(.badRequest, message: "a filter is text in UTF-8")
  }
  guard text.unicodeScalars.count <= longestFilter else {
    throw HTTPError(.contentTooLarge, message: "a filter has at most \(longestFilter) characters")
  }
  return text
}

extension Response {
  fileprivate static func json(_ value: some Encodable) throws -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value))))
  }
}

extension Request {
  fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws -> Int {
    guard let number = uri.queryParameters.get(name, as: Int.self), range.contains(number) else {
      throw HTTPError(
        .badRequest, message: "\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
