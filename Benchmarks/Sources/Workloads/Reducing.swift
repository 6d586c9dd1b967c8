// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let reducing = [
  Workload("reduce", "reducing") { reduceInts($0) }
]

@inline(never)
private func reduceInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).reduce(0, &+).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
