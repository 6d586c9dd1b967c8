// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let debugging = [
  Workload("handleEvents", "debugging") { handleEvents($0) },
  Workload("handleEvents, class", "debugging") { handleTokens($0) },
  Workload("breakpoint", "debugging") { breakpoint($0) },
  Workload("print", "debugging", size: 10_000) { printInts($0) },
]

@inline(never)
private func handleEvents(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).handleEvents(receiveOutput: { tally.add($0) }).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func handleTokens(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(tokens, count: count)).handleEvents(receiveOutput: { tally.add($0.number) }).sink {
    tally.add($0.number)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func breakpoint(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).breakpoint(receiveOutput: { $0 < 0 }).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func printInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).print("numbers", to: Nowhere()).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

private struct Nowhere: TextOutputStream {
  func write(_ text: String) {}
}
