// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let replacing = [
  Workload("replaceNil", "replacing") { replaceNils($0) },
  Workload("replaceEmpty", "replacing") { replaceEmptiness($0) },
  Workload("replaceError, class", "replacing") { replaceErrors($0) },
]

@inline(never)
private func replaceNils(_ count: Int) -> Int {
  let tally = Tally()
  let optional = Elements((0..<count).lazy.map { $0 & 1 == 0 ? $0 : nil })
  let cancellable = optional.replaceNil(with: 1).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func replaceEmptiness(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).replaceEmpty(with: 1).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func replaceErrors(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Elements(Cycle(tokens, count: count)).setFailureType(to: Unexpected.self)
  let cancellable = failing.replaceError(with: tokens[0]).sink { tally.add($0.number) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
