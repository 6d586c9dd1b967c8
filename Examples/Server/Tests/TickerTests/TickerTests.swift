// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockTesting
import Synchronization
import Testing

@testable import Ticker

/// The values that a subscriber has received.
final class Log<Value: Sendable>: Sendable {
  private let received = Mutex<[Value]>([])

  var values: [Value] { received.withLock { $0 } }

  func append(_ value: Value) { received.withLock { $0.append(value) } }

  /// Waits until there are a number of values.
  ///
  /// - Returns: The values, or what has arrived after a minute.
  func values(count: Int) async -> [Value] {
    let end = ContinuousClock.now + .seconds(60)
    while values.count < count, ContinuousClock.now < end { await Task.yield() }
    return values
  }
}

/// Assessments that wait until a test continues them.
actor Desk {
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var count: Int { waiting.count }

  func assess(_ quote: Quote) async -> Assessment {
    await withCheckedContinuation { waiting.append($0) }
    return Assessment(of: quote, "\(quote.price)")
  }

  func finishOne() { waiting.removeFirst().resume() }

  /// Waits until a number of assessments are under way, or a minute has passed.
  func isBusy(with count: Int) async -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while waiting.count != count, ContinuousClock.now < end { await Task.yield() }
    return waiting.count == count
  }
}

@Suite("A ticker")
struct TickerTests {
  let time = VirtualTimeScheduler<VirtualTime, Never>()

  private func ticker() -> Ticker<VirtualTimeScheduler<VirtualTime, Never>> {
    Ticker(on: time) { Assessment(of: $0, "") }
  }

  @Test func `adds a day's prices up once for all who watch, and anew when nobody has`() {
    let ticker = ticker()
    let (early, late, next) = (Log<Summary>(), Log<Summary>(), Log<Summary>())
    let first = ticker.summaries.sink { early.append($0) }
    ticker.report(Quote("ACME", 120))
    let second = ticker.summaries.sink { late.append($0) }
    ticker.report(Quote("ACME", 80))
    ticker.report(Quote("BOLT", 7))
    #expect(early.values.map(\.count) == [1, 2, 1])
    #expect(late.values.map(\.low) == [80, 7])
    #expect(late.values.map(\.high) == [120, 7])
    #expect(ticker.watching == 2)

    first.cancel()
    second.cancel()
    #expect(ticker.watching == 0)
    let third = ticker.summaries.sink { next.append($0) }
    ticker.report(Quote("ACME", 90))
    #expect(next.values.map(\.count) == [1])
    third.cancel()
  }

  @Test func `tells where a price rests, and not where it only passes`() {
    let ticker = ticker()
    let log = Log<Quote>()
    let cancellable = ticker.rests(of: "ACME", for: 0.3).sink { log.append($0) }
    ticker.report(Quote("ACME", 1))
    time.advance(by: 0.2)
    ticker.report(Quote("ACME", 2))
    ticker.report(Quote("BOLT", 9))
    time.advance(by: 0.2)
    #expect(log.values.isEmpty)
    time.advance(by: 0.1)
    #expect(log.values == [Quote("ACME", 2)])
    cancellable.cancel()
  }

  @Test func `tells how far two prices are apart once both are known, and not again while that stays`() {
    let ticker = ticker()
    let log = Log<Int>()
    let cancellable = ticker.spread(of: "ACME", and: "BOLT").sink { log.append($0.difference) }
    ticker.report(Quote("ACME", 10))
    ticker.report(Quote("BOLT", 4))
    ticker.report(Quote("BOLT", 4))
    ticker.report(Quote("ACME", 3))
    #expect(log.values == [6, -1])
    cancellable.cancel()
  }

  @Test func `assesses two quotes at a time, and leaves out the oldest when too many wait`() async {
    let desk = Desk()
    let ticker = Ticker(on: time) { await desk.assess($0) }
    let log = Log<Int>()
    let cancellable = ticker.assessments(backlog: 3).sink { log.append($0.quote.price) }
    (1...7).forEach { ticker.report(Quote("ACME", $0)) }
    for count in 1...5 {
      #expect(await desk.isBusy(with: min(2, 6 - count)))
      await desk.finishOne()
      _ = await log.values(count: count)
    }
    // 3 and 4 made room for 6 and 7.
    #expect(log.values.sorted() == [1, 2, 5, 6, 7])
    #expect(await desk.count == 0)
    cancellable.cancel()
    #expect(ticker.watching == 0)
  }
}
