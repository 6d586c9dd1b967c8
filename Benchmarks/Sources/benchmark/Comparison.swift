// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// The median costs of two ways to do one thing, measured in turn.
struct Comparison: Encodable {
  /// Nanoseconds for one value.
  let first: Double
  let second: Double

  /// How many times as much the second way costs: the median of the ratios of neighbouring measurements, so that
  /// whatever slows the machine down for a while slows both sides down.
  let ratio: Double

  init(_ name: String, rounds: Int, size: Int, _ first: (Int) -> Int, _ second: (Int) -> Int) throws {
    // Also warms both of them up.
    let results = (first(size), second(size))
    guard results.0 == results.1 else {
      throw Disagreement(workload: name, penstock: results.0, other: results.1)
    }
    var costs: (first: [Double], second: [Double]) = ([], [])
    for round in 0..<rounds {
      if round.isMultiple(of: 2) {
        costs.first.append(cost(size, first))
        costs.second.append(cost(size, second))
      } else {
        costs.second.append(cost(size, second))
        costs.first.append(cost(size, first))
      }
    }
    self.first = costs.first.median
    self.second = costs.second.median
    ratio = zip(costs.first, costs.second).map { $1 / $0 }.median
  }
}
