// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import OpenCombineWorkloads
import PenstockWorkloads

/// How costs grow with the number of values, of a subject's subscribers, and of an operator's upstreams; ideally not at
/// all.
struct GrowthSection {
  let short: Bool

  func run(into report: inout Report) {
    values(into: &report)
    subscribers(into: &report)
    upstreams(into: &report)
    lists(into: &report)
  }

  /// The largest size shows clearly if an array is copied for each value, or a list is searched for each subscription.
  private func lists(into report: inout Report) {
    let sizes = short ? [10, 100] : [10, 100, 1_000, 10_000, 100_000]
    print("\n## Growth with the length of a list that is combined: nanoseconds for one operation\n")
    let table = Table(["operation"] + sizes.map { "n = \($0)" }, widths: [42] + sizes.map { _ in 11 })
    for crowd in PenstockWorkloads.listCrowds() {
      // An operation that reaches all of 100,000 has to fetch them from memory. A cost that grew with the square would
      // be 10,000 times as high.
      measure(crowd, sizes: sizes, limit: crowd.reachesAll ? 10 : 1.5, table, into: &report)
    }
  }

  /// OpenCombine 0.14.0 has no such operators.
  private func upstreams(into report: inout Report) {
    let many = short ? [1, 100] : [1, 100, 10_000]
    print("\n## Growth with the number of upstreams, or of subscribers who share: nanoseconds for one operation\n")
    let wide = Table(["operation"] + many.map { "n = \($0)" }, widths: [42] + many.map { _ in 11 })
    for crowd in PenstockWorkloads.ownCrowds() { measure(crowd, sizes: many, wide, into: &report) }

    let deep = short ? [1, 10] : [1, 20, 200]
    print("\n## Growth with the depth of a nest: nanoseconds for one operation\n")
    let nested = Table(["operation"] + deep.map { "n = \($0)" }, widths: [42] + deep.map { _ in 11 })
    for crowd in PenstockWorkloads.ownNests() { measure(crowd, sizes: deep, nested, into: &report) }
  }

  /// - Parameter limit: The greatest ratio of the cost for the largest size to that for the smallest.
  private func measure(
    _ crowd: Crowd, sizes: [Int], limit: Double = 1.5, _ table: Table, into report: inout Report
  ) {
    let costs = sizes.map { crowd.cost($0) }
    table.row([crowd.name] + costs.map { "\($0, 1)" })
    report.growth.append(.init(name: crowd.name, library: "Penstock", sizes: sizes, nanoseconds: costs))
    if let last = costs.last, last > limit * costs[0] {
      report.misses.append(
        "\(crowd.name): \(last, 1) ns for one of \(sizes.last!), \(costs[0], 1) for one of \(sizes[0])")
    }
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
        let costs = sizes.map { crowd.cost($0) }
        table.row([crowd.name, library] + costs.map { "\($0, 1)" })
        report.growth.append(.init(name: crowd.name, library: library, sizes: sizes, nanoseconds: costs))
        if library == "Penstock", !crowd.reachesAll, let last = costs.last, last > 1.5 * costs[0] {
          report.misses.append("\(crowd.name): \(last, 1) ns among \(sizes.last!) subscribers, \(costs[0], 1) alone")
        }
      }
    }
  }
}

extension Crowd {
  /// The nanoseconds per operation, or per member if the operation reaches all members of the crowd.
  fileprivate func cost(_ size: Int) -> Double {
    let operations = reachesAll ? max(3, 200_000 / size) : 20_000
    let share = Double(operations * (reachesAll ? size : 1))
    return (0..<5).map { _ in measure(size, operations).nanoseconds / share }.median
  }
}
