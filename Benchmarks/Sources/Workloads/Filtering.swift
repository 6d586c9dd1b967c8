// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let filtering = [
  Workload("filter", "filtering") { filterInts($0) },
  Workload("filter, String", "filtering") { filterStrings($0) },
  Workload("compactMap", "filtering") { compactMapInts($0) },
  Workload("removeDuplicates", "filtering") { removeDuplicateInts($0) },
  Workload("removeDuplicates, String", "filtering") { removeDuplicateStrings($0) },
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
  let cancellable = Elements(Cycle(words, count: count)).filter { $0.utf8.count > 30 }.sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func compactMapInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).compactMap { $0 & 1 == 0 ? $0 : nil }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func removeDuplicateInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).removeDuplicates { $0 >> 1 == $1 >> 1 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func removeDuplicateStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(words, count: count)).removeDuplicates().sink { tally.add($0.utf8.count) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
