// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let prefixing = [
  Workload("dropFirst", "prefixing") { dropFirstInts($0) },
  Workload("drop(while:)", "prefixing") { dropInts($0) },
  Workload("prefix", "prefixing") { prefixOfInts($0) },
  Workload("prefix(while:), String", "prefixing") { prefixOfStrings($0) },
  Workload("output(in:)", "prefixing") { outputOfInts($0) },
  Workload("first(where:)", "prefixing") { firstInt($0) },
  Workload("last", "prefixing") { lastInt($0) },
]

@inline(never)
private func dropFirstInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).dropFirst(count / 2).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func dropInts(_ count: Int) -> Int {
  let tally = Tally()
  let half = count / 2
  let cancellable = Elements(0..<count).drop { $0 < half }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func prefixOfInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<2 * count).prefix(count).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func prefixOfStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(words, count: count)).prefix { $0.utf8.count > 10 }.sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func outputOfInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<2 * count).output(in: 0..<count).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func firstInt(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<2 * count).first { $0 == count }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func lastInt(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).last().sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
