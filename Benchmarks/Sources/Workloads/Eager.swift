// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Operators that `Publishers.Sequence` applies to its elements eagerly, before a subscription.
let eager = [
  Workload("(0..<n).publisher", "eager", .eager) { plain($0) },
  Workload("(0..<n).publisher.map.filter", "eager", .eager) { mapFilter($0) },
  Workload("(0..<n).publisher.reduce", "eager", .eager) { reduce($0) },
]

@inline(never)
private func plain(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = (0..<count).publisher.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mapFilter(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = (0..<count).publisher.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func reduce(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = (0..<count).publisher.reduce(0) { $0 &+ $1 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
