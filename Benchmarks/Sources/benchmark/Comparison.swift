// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// The median costs of two ways to do the same thing, measured alternately.
struct Comparison: Encodable {
  /// Nanoseconds per value.
  let first: Double
  let second: Double

  /// The cost of the second way as a multiple of the first: the median of the ratios of neighbouring measurements, so
  /// that a temporary slowdown of the machine affects both sides.
  let ratio: Double

  init(_ name: String, rounds: Int, size: Int, _ first: (Int) -> Int, _ second: (Int) -> Int) throws {
    // These runs also warm both of them up.
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
