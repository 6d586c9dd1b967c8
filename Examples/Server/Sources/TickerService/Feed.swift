// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import ServiceLifecycle
import Ticker

/// A service that reports made-up quotes: each price takes steps of up to half a percent up or down.
struct Feed: Service {
  let ticker: ServerTicker
  let interval: Duration

  func run() async throws {
    let scheduler = TaskScheduler()
    var prices = ["ACME": 12_300, "BOLT": 4_560, "COGS": 78_900]
    let ticks = scheduler.schedule(after: scheduler.now, interval: ClockStride(interval)) { [ticker] in
      for (symbol, price) in prices.sorted(by: { $0.key < $1.key }) {
        let step = max(1, price / 200)
        let next = max(1, price + .random(in: -step...step))
        prices[symbol] = next
        ticker.report(Quote(symbol, next))
      }
    }
    defer { ticks.cancel() }
    try await gracefulShutdown()
  }
}
