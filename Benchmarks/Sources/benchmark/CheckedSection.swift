// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import PenstockWorkloads

/// The price of the checked family, which is to be none: the same pipelines with Combine's operators and with those of
/// `SendablePublisher`.
struct CheckedSection {
  let rounds: Int
  let scale: Int

  func run(into report: inout Report) {
    print("\n## Checked operators beside the plain ones: nanoseconds for a value\n")
    let table = Table(["pipeline", "plain", "checked", "ratio"], widths: [42, 9, 9, 9])
    for (plain, checked) in checkedWorkloads() {
      let size = max(plain.size / scale, 100)
      _ = plain.run(size)
      _ = checked.run(size)
      // In turns, so that what slows the machine down for a while slows both down.
      let costs = (0..<rounds).map { _ in (cost(size, plain.run), cost(size, checked.run)) }
      let (first, second) = (costs.map(\.0).median, costs.map(\.1).median)
      let ratio = costs.map { $0.1 / $0.0 }.median
      table.row([plain.name, "\(first, 1)", "\(second, 1)", "\(ratio, 2)"])
      report.checked[plain.name] = [first, second, ratio]
    }
  }
}
