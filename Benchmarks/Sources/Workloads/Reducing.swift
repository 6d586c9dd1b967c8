// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let reducing = [
  Workload("reduce", "reducing") { reduceInts($0) },
  Workload("count", "reducing") { countInts($0) },
  Workload("max", "reducing") { maxOfInts($0) },
  Workload("collect", "reducing") { collectInts($0) },
  Workload("collect(10)", "reducing") { collectTens($0) },
  Workload("ignoreOutput, String", "reducing") { ignoreStrings($0) },
]

@inline(never)
private func reduceInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).reduce(0) { $0 &+ $1 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func countInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).count().sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func maxOfInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).max().sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func collectInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).collect().sink { tally.add($0.count) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func collectTens(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).collect(10).sink { tally.add($0.count) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func ignoreStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(words, count: count)).ignoreOutput().sink(
    receiveCompletion: { _ in tally.add(1) }, receiveValue: { _ in })
  return withExtendedLifetime(cancellable) { tally.sum }
}
