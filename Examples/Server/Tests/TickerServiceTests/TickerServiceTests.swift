// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Logging
import LoopbackClient
import PenstockConcurrency
import ServiceLifecycle
import Testing
import Ticker

@testable import TickerService

private let json = "application/json"

@Suite("The ticker's service", .timeLimit(.minutes(2)))
struct TickerServiceTests {
  /// Runs a server while `body` is a client of it, and stops it gracefully.
  private func serve(
    feed: Duration? = nil, _ body: (Client, ServerTicker, ServiceGroup) async throws -> Void
  ) async throws {
    let ticker = ServerTicker(on: TaskScheduler(), assess: assess)
    var logger = Logger(label: "test")
    logger.logLevel = .warning
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let group = ServiceGroup(
      configuration: .init(
        services: [tickerApplication(port: 0, ticker: ticker, feed: feed, logger: logger) { port.yield($0) }],
        logger: logger))
    async let running: Void = group.run()
    for await port in ports {
      do {
        try await body(Client(port: port), ticker, group)
      } catch {
        await group.triggerGracefulShutdown()
        throw error
      }
      break
    }
    await group.triggerGracefulShutdown()
    try await running
    // No subscriber is left.
    #expect(ticker.watching == 0)
  }

  private func report(_ quotes: [Quote], to client: Client) async throws {
    for quote in quotes {
      let body = "{\"symbol\": \"\(quote.symbol)\", \"price\": \(quote.price)}"
      let status = try await client.request(.POST, "/quotes", body: body, as: json) { $0.status }
      #expect(status == .noContent)
    }
  }

  @Test(
    arguments: [
      (
        "/summaries",
        """
        event: summary
        data: {"count":2,"high":30,"last":20,"low":20,"symbol":"ACME"}
        """
      ),
      (
        "/rests/ACME?ms=20",
        """
        event: rest
        data: {"price":20,"symbol":"ACME"}
        """
      ),
      (
        "/spread/ACME/BOLT",
        """
        event: spread
        data: {"difference":15,"first":{"price":20,"symbol":"ACME"},"second":{"price":5,"symbol":"BOLT"}}
        """
      ),
      (
        "/assessments",
        """
        event: assessment
        data: {"quote":{"price":20,"symbol":"ACME"},"text":"odd"}
        """
      ),
    ])
  func `sends each stream as events`(path: String, expected: String) async throws {
    try await serve { client, _, _ in
      try await client.request(.GET, path) { response in
        #expect(response.status == .ok)
        let greeting = try await response.block()
        #expect(greeting == ": connected")
        try await report([Quote("ACME", 30), Quote("ACME", 20), Quote("BOLT", 5)], to: client)
        while let block = try await response.block() {
          if block == expected { return }
        }
        Issue.record("the stream has ended without \(expected)")
      }
    }
  }

  @Test func `shows its pipelines to this machine, and counts when it is told to`() async throws {
    try await serve { client, _, _ in
      let page = try await client.request(.GET, "/pipelines") { ($0.status, try await $0.rest()) }
      #expect(page.0 == .ok && page.1.contains("<title>Pipelines</title>"))
      let streams = try await client.request(.GET, "/pipelines.json?find=nothing") { ($0.status, try await $0.rest()) }
      #expect(streams.0 == .ok && streams.1.contains(#""found":0"#))
      #expect(try await client.request(.POST, "/pipelines/counting") { $0.status } == .forbidden)
    }
  }

  @Test func `keeps no more symbols than it says`() async throws {
    let ticker = ServerTicker(on: TaskScheduler(), assess: assess)
    for number in 0..<Quote.mostSymbols { #expect(ticker.report(Quote("\(number)", 1))) }
    #expect(!ticker.report(Quote("one more", 1)))
    #expect(ticker.report(Quote("0", 2)))
  }

  @Test func `tells what is wrong with a request`() async throws {
    try await serve { client, ticker, _ in
      let negative = try await client.request(
        .POST, "/quotes", body: #"{"symbol": "ACME", "price": -1}"#, as: json
      ) { response in (response.status, try await response.rest()) }
      #expect(negative.0 == .unprocessableEntity)
      #expect(negative.1.contains("a price that is not negative"))
      #expect(try await client.request(.POST, "/quotes", body: "{", as: json) { $0.status } == .badRequest)
      let long = "{\"symbol\": \"\(String(repeating: "A", count: 13))\", \"price\": 1}"
      #expect(try await client.request(.POST, "/quotes", body: long, as: json) { $0.status } == .unprocessableEntity)
      // As the page of another site could send it, without being asked whether it may.
      let plain = #"{"symbol": "ACME", "price": 1}"#
      #expect(
        try await client.request(.POST, "/quotes", body: plain, as: "text/plain") { $0.status } == .unsupportedMediaType
      )
      #expect(try await client.request(.POST, "/quotes", body: plain) { $0.status } == .unsupportedMediaType)
      #expect(try await client.request(.GET, "/rests/ACME?ms=0") { $0.status } == .badRequest)
      #expect(try await client.request(.GET, "/rests") { $0.status } == .notFound)
      #expect(ticker.watching == 0)
    }
  }

  @Test func `ends the subscription of a client that leaves without a word, though there is nothing to send`()
    async throws
  {
    try await serve { client, ticker, _ in
      for path in ["/summaries", "/rests/ACME", "/spread/ACME/BOLT", "/assessments"] {
        try await client.request(.GET, path) { response in
          let greeting = try await response.block()
          #expect(greeting == ": connected")
          #expect(await becomes(1) { ticker.watching })
          let watching = try await client.request(.GET, "/watching") { try await $0.rest() }
          #expect(watching == "1")
        }
        #expect(await becomes(0) { ticker.watching })
      }
    }
  }

  @Test func `stops while idle clients are connected, and ends what they read`() async throws {
    try await serve { client, ticker, group in
      let (greetings, greeted) = AsyncStream.makeStream(of: Bool.self)
      try await withThrowingTaskGroup(of: Bool.self) { clients in
        for path in ["/summaries", "/rests/ACME", "/spread/ACME/BOLT", "/assessments"] {
          for _ in 0..<5 {
            clients.addTask {
              try await client.request(.GET, path) { response in
                greeted.yield(try await response.block() == ": connected")
                return try await response.block() == nil
              }
            }
          }
        }
        // A subscription is there before its greeting is sent, and a stream that ends in between has none.
        for await isGreeted in greetings.prefix(20) { #expect(isGreeted) }
        #expect(ticker.watching == 20)
        await group.triggerGracefulShutdown()
        for try await isEnded in clients { #expect(isEnded) }
      }
    }
  }

  @Test func `makes up quotes if it is to, until it stops`() async throws {
    try await serve(feed: .milliseconds(5)) { client, _, _ in
      try await client.request(.GET, "/spread/ACME/COGS") { response in
        let greeting = try await response.block()
        #expect(greeting == ": connected")
        for _ in 0..<3 {
          let block = try await response.block()
          #expect(block?.hasPrefix("event: spread\n") == true)
        }
      }
    }
  }

  private func becomes(_ expected: Int, _ value: () -> Int) async -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while value() != expected {
      if ContinuousClock.now > end { return false }
      await Task.yield()
    }
    return true
  }
}
