// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Foundation

/// Every workload on both libraries.
struct ComparisonSection {
  let rounds: Int
  let scale: Int

  func run(_ pairs: [Pair], into report: inout Report) throws {
    for (kind, heading) in [
      (Workload.Kind.eager, "Eager forms, which count in no mean"),
      (.beyond, "Operators of Penstock's beside OpenCombine's nearest, which count in no mean"),
      (.later, "Workloads of a later date, which count in no mean"),
    ] {
      let apart = pairs.filter { $0.0.kind == kind }
      if apart.isEmpty { continue }
      print("\n## \(heading)\n")
      try table(apart, into: &report)
    }

    let counted = pairs.filter { ![.eager, .beyond, .later].contains($0.0.kind) }
    guard !counted.isEmpty else { return }
    print("\n## Workloads: nanoseconds for a value, or for a subscription\n")
    let rows = try table(counted, into: &report)

    let lowest = rows.min { $0.comparison.ratio < $1.comparison.ratio }!
    let mean = exp(rows.map { log($0.comparison.ratio) }.reduce(0, +) / Double(rows.count))
    report.summary = .init(
      workloads: rows.count, geometricMean: mean, lowestRatio: lowest.comparison.ratio, lowestWorkload: lowest.name)
    for row in rows where row.comparison.ratio < row.target {
      report.misses.append("\(row.name): \(row.comparison.ratio, 2)x, should be at least \(row.target, 1)x")
    }
    if mean < 16 { report.misses.append("geometric mean: \(mean, 1)x, should be at least 16x") }
  }

  @discardableResult
  private func table(_ pairs: [Pair], into report: inout Report) throws -> [Report.Row] {
    let table = Table(["workload", "family", "Penstock", "OpenCombine", "ratio"], widths: [44, 14, 9, 11, 8])
    let rows = try pairs.map { penstock, openCombine in
      let size = max(penstock.size / scale, 100)
      let comparison = try Comparison(
        penstock.name, rounds: rounds, size: size, penstock.run, openCombine.run)
      table.row([
        penstock.name, penstock.family, "\(comparison.first, 1)", "\(comparison.second, 1)",
        "\(comparison.ratio, 2)",
      ])
      return Report.Row(name: penstock.name, family: penstock.family, kind: penstock.kind, comparison: comparison)
    }
    report.workloads += rows
    return rows
  }
}
