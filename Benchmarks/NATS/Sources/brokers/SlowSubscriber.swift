// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockConcurrency
import PenstockNATS

/// Measures a subscriber that is far slower than the messages that wait for it.
struct SlowSubscriber {
  private let nats: NATSConnection
  private let address: String

  init(_ nats: NATSConnection, _ address: String) { (self.nats, self.address) = (nats, address) }

  func run() async throws {
    let workload = try await Workload(nats, address, size: 1_024, count: 1_000_000, batch: 1_000)
    try await workload.publishAll()
    print("a million messages of 1 KiB wait; a subscriber takes 100 a second, with batches of at most 64")
    let deliveries = nats.deliveries(stream: "BENCH", consumer: "c", batch: 1...64)
    var (taken, most) = (0, 0)
    let start = ContinuousClock.now
    print("    s    taken   asked  credit  in flight   memory")
    for try await delivery in deliveries.values {
      taken += 1
      let counts = deliveries.counts
      most = max(most, counts.credit + counts.inFlight)
      try await delivery.ack()
      if taken.isMultiple(of: 500) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(
          String(
            format: "%5.0f %8d %7d %7d %10d %5d MiB", seconds, taken, counts.asked, counts.credit, counts.inFlight,
            residentMiB()))
      }
      if taken == 3_000 { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    print("credit and what is not settled, at most: \(most)")
  }

  private func residentMiB() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return (status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.output.1) } ?? 0) / 1_024
  }
}
