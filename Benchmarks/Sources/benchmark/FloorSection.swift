// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Penstock against a loop that calls three closures by hand.
struct FloorSection {
  let rounds: Int
  let scale: Int

  /// The workloads that do the same as the loop, with the limits of their costs as multiples of the loop's.
  static let limits = ["map.filter.sink": 2.5, "erased three times": 5]

  func run(_ pairs: [Pair], into report: inout Report) throws {
    let workloads = pairs.map(\.0).filter { Self.limits[$0.name] != nil }
    guard !workloads.isEmpty else { return }
    print("\n## Against closures called by hand: nanoseconds for a value\n")
    let table = Table(["workload", "by hand", "Penstock", "times", "limit"], widths: [44, 9, 9, 8, 6])
    for workload in workloads {
      let comparison = try Comparison(
        workload.name, rounds: rounds, size: workload.size * 4 / scale, handWrittenLoop, workload.run)
      let limit = Self.limits[workload.name]!
      table.row([
        workload.name, "\(comparison.first, 1)", "\(comparison.second, 1)", "\(comparison.ratio, 2)", "\(limit, 1)",
      ])
      report.floors[workload.name] = comparison
      if comparison.ratio > limit {
        report.misses.append("\(workload.name): \(comparison.ratio, 2) times closures by hand, limit \(limit, 1)")
      }
    }
  }
}
