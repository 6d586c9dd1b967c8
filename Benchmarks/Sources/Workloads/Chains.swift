// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let chains = [
  Workload("map.filter.sink", "chains") { mapFilter($0) },
  Workload("ten operators", "chains") { tenOperators($0) },
]

@inline(never)
private func mapFilter(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func tenOperators(_ count: Int) -> Int {
  let tally = Tally()
  // In three steps, because the type checker gives up on ten at once, with either library.
  let four = Elements(0..<count).map { $0 &+ 1 }.filter { $0 != 3 }.map { $0 &* 2 }.filter { $0 != 10 }
  let seven = four.map { $0 &- 7 }.filter { $0 != 9 }.map { $0 ^ 5 }
  let ten = seven.filter { $0 != 8 }.map { $0 &+ 11 }.filter { $0 != 0 }
  let cancellable = ten.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
