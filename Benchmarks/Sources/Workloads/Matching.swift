// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let matching = [
  Workload("contains", "matching") { containsInt($0) },
  Workload("contains(where:), class", "matching") { containsToken($0) },
  Workload("allSatisfy", "matching") { allSatisfyInts($0) },
]

// No stream ends before the last value; otherwise there would be nothing to measure.

@inline(never)
private func containsInt(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).contains(-1).sink { tally.add($0 ? 1 : 2) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func containsToken(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(tokens, count: count)).contains { $0.number < 0 }.sink { tally.add($0 ? 1 : 2) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func allSatisfyInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).allSatisfy { $0 >= 0 }.sink { tally.add($0 ? 1 : 2) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
