// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import OpenCombineWorkloads
import PenstockWorkloads

/// How costs grow with the number of values, and with the number of a subject's subscribers: not at all, if all is well.
struct GrowthSection {
  let short: Bool

  func run(into report: inout Report) {
    values(into: &report)
    subscribers(into: &report)
  }

  private func values(into report: inout Report) {
    let sizes = short ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000]
    print("\n## Growth with the number of values: nanoseconds for a value\n")
    let table = Table(
      ["workload", "library"] + sizes.map { "n = \($0)" }, widths: [28, 11] + sizes.map { _ in 13 })
    for (penstock, openCombine) in zip(PenstockWorkloads.growingWorkloads(), OpenCombineWorkloads.growingWorkloads()) {
      for (library, workload) in [("Penstock", penstock), ("OpenCombine", openCombine)] {
        let costs = sizes.map { size in
          let turns = max(3, (short ? 10_000 : 300_000) / size)
          return (0..<turns).map { _ in cost(size, workload.run) }.median
        }
        table.row([workload.name, library] + costs.map { "\($0, 1)" })
        report.growth.append(.init(name: workload.name, library: library, sizes: sizes, nanoseconds: costs))
        if library == "Penstock", let last = costs.last, last > 1.5 * costs[0] {
          report.misses.append(
            "\(workload.name): \(last, 1) ns for one of \(sizes.last!) values, \(costs[0], 1) for one of \(sizes[0])")
        }
      }
    }
  }

  private func subscribers(into report: inout Report) {
    let sizes = short ? [1, 100] : [1, 100, 10_000, 100_000]
    print("\n## Growth with the number of subscribers: nanoseconds for one operation\n")
    let table = Table(
      ["operation", "library"] + sizes.map { "n = \($0)" }, widths: [32, 11] + sizes.map { _ in 11 })
    for (penstock, openCombine) in zip(PenstockWorkloads.crowds(), OpenCombineWorkloads.crowds()) {
      for (library, crowd) in [("Penstock", penstock), ("OpenCombine", openCombine)] {
        let costs = sizes.map { size in
          let operations = crowd.reachesAll ? max(3, 200_000 / size) : 20_000
          let share = Double(operations * (crowd.reachesAll ? size : 1))
          return (0..<5).map { _ in crowd.measure(size, operations).nanoseconds / share }.median
        }
        table.row([crowd.name, library] + costs.map { "\($0, 1)" })
        report.growth.append(.init(name: crowd.name, library: library, sizes: sizes, nanoseconds: costs))
        if library == "Penstock", !crowd.reachesAll, let last = costs.last, last > 1.5 * costs[0] {
          report.misses.append("\(crowd.name): \(last, 1) ns among \(sizes.last!) subscribers, \(costs[0], 1) alone")
        }
      }
    }
  }
}
