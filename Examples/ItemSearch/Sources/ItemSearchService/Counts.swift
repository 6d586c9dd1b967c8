// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ItemDatabase

/// What the server reports about itself, to tests and measurements.
struct Counts: Encodable {
  private struct Queries: Encodable {
    let queued: Int
    let withdrawn: Int
    let began: Int
    let finished: Int
    let interrupted: Int
    let failed: Int
    let open: Int
    let longestMs: Double
    let longestAfterInterruptMs: Double
  }

  private let visitors: Int
  private let queries: Queries

  init(_ visitors: Int, _ counts: QueryCounts.Snapshot) {
    self.visitors = visitors
    queries = Queries(
      queued: counts.queued, withdrawn: counts.withdrawn, began: counts.began, finished: counts.finished,
      interrupted: counts.interrupted, failed: counts.failed, open: counts.open,
      longestMs: counts.longest / .milliseconds(1),
      longestAfterInterruptMs: counts.longestAfterInterrupt / .milliseconds(1))
  }
}
