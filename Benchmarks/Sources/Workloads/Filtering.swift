// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let filtering = [
  Workload("filter", "filtering") { filterInts($0) },
  Workload("filter, String", "filtering") { filterStrings($0) },
]

@inline(never)
private func filterInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).filter { $0 & 1 == 0 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func filterStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(words, count: count)).filter { $0.utf8.last != 0x30 }.sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}
