// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import AllocationCounter
import BenchmarkKit

/// The number of allocations of each workload, counted by functions that replace `malloc` and its relatives.
struct AllocationSection {
  let short: Bool

  func run(_ pairs: [Pair], into report: inout Report) throws {
    print("\n## Allocations for each value, and for the subscription (one of them, where they are counted)\n")
    guard allocation_counter_is_supported() else { return print("Not counted on this system.") }
    let table = Table(
      ["workload", "Penstock, value", "subscription", "OpenCombine, value", "subscription"],
      widths: [44, 15, 12, 18, 12])
    for (penstock, openCombine) in pairs {
      let counts = (count(penstock), count(openCombine))
      table.row([
        penstock.name, text(counts.0.value, 4), text(counts.0.subscription, 1), text(counts.1.value, 4),
        text(counts.1.subscription, 1),
      ])
      report.allocations[penstock.name] = .init(penstock: counts.0, openCombine: counts.1)
      if let value = counts.0.value, value >= 0.001, FloorSection.limits[penstock.name] != nil {
        report.misses.append("\(penstock.name): \(value, 4) allocations per value, limit 0.001")
      }
    }
  }

  struct Count: Encodable {
    /// `nil` if the workload measures subscriptions.
    var value: Double?
    var subscription: Double
  }

  private func count(_ workload: Workload) -> Count {
    let small = short ? 100 : 1_000
    return Self.count(workload, of: small, and: small * 11)
  }

  /// - Returns: The cost of a value, and the rest of the smaller size, from two sizes.
  static func count(_ workload: Workload, of small: Int, and large: Int) -> Count {
    // Runs once in advance, for everything that a process creates only once.
    _ = workload.run(small)
    let less = Double(allocations(of: small, workload.run))
    let more = Double(allocations(of: large, workload.run))
    let each = (more - less) / Double(large - small)
    if workload.kind == .subscriptions { return Count(value: nil, subscription: each) }
    return Count(value: each, subscription: less - each * Double(small))
  }

  private static func allocations(of count: Int, _ work: (Int) -> Int) -> UInt64 {
    allocation_counter_start()
    _ = opaque(work(opaque(count)))
    return allocation_counter_stop()
  }

  private func text(_ number: Double?, _ digits: Int) -> String {
    number.map { "\($0, digits)" } ?? ""
  }
}
