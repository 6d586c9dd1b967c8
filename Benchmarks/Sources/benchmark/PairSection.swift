// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Workloads that are written in two ways, one beside the other.
struct PairSection {
  let title: String
  /// The names of the two ways.
  let names: (String, String)
  let rounds: Int
  let scale: Int

  /// - Returns: For each workload the cost of a value in the first way and in the second, and the median of the rounds' ratios.
  func run(_ workloads: [(Workload, Workload)]) throws -> [String: [Double]] {
    var results: [String: [Double]] = [:]
    print("\n## \(title): nanoseconds for a value\n")
    let table = Table(["workload", names.0, names.1, "ratio"], widths: [42, 12, 9, 9])
    for (first, second) in workloads {
      let size = max(first.size / scale, 100)
      let sums = (first.run(size), second.run(size))
      guard sums.0 == sums.1 else { throw Disagreement(workload: first.name, penstock: sums.1, other: sums.0) }
      // In turns, so that a temporary slowdown of the machine slows both down.
      let costs = (0..<rounds).map { _ in (cost(size, first.run), cost(size, second.run)) }
      let medians = (costs.map(\.0).median, costs.map(\.1).median)
      let ratio = costs.map { $0.1 / $0.0 }.median
      table.row([first.name, "\(medians.0, 1)", "\(medians.1, 1)", "\(ratio, 2)"])
      results[first.name] = [medians.0, medians.1, ratio]
    }
    return results
  }
}
