// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let mapping = [
  Workload("map", "mapping") { mapInts($0) },
  Workload("map, String", "mapping") { mapStrings($0) },
  Workload("map(\\.number), class", "mapping") { mapKeyPath($0) },
  Workload("tryMap", "mapping") { tryMapInts($0) },
  Workload("scan", "mapping") { scanInts($0) },
  Workload("setFailureType.mapError", "mapping") { mapErrors($0) },
]

@inline(never)
private func mapInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).map { $0 &* 3 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mapStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(words, count: count)).map { $0.utf8.count > 30 ? $0 : "short" }.sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mapKeyPath(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(tokens, count: count)).map(\.number).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func tryMapInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count)
    .tryMap { value in
      if value < 0 { throw Unexpected() }
      return value &* 3
    }
    .sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func scanInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).scan(0) { $0 &+ $1 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mapErrors(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).setFailureType(to: Unexpected.self).mapError { $0 as any Error }.sink(
    receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// The error type of closures that never throw.
struct Unexpected: Error {}
