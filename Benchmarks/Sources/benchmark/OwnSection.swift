// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Operators that OpenCombine 0.14.0 lacks, only on Penstock.
struct OwnSection {
  let rounds: Int
  let scale: Int

  func run(_ workloads: [Workload], into report: inout Report) {
    guard !workloads.isEmpty else { return }
    print("\n## What OpenCombine 0.14.0 lacks: nanoseconds for a value\n")
    let table = Table(["workload", "family", "Penstock"], widths: [44, 14, 9])
    for workload in workloads {
      let size = max(workload.size / scale, 100)
      _ = workload.run(size)
      let median = (0..<rounds).map { _ in cost(size, workload.run) }.median
      table.row([workload.name, workload.family, "\(median, 1)"])
      report.own[workload.name] = median
    }
  }
}
