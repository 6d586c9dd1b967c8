// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// The operators of `Publisher` on `Publishers.Sequence` itself, behind one operator that no sequence has: so a library
/// that knows its own publisher may take a shorter way.
let sequenceForms = [
  Workload("a sequence, map.filter", "sequence forms") { count in
    tallied(numbers(count).map { $0 &* 3 }.filter { $0 & 1 == 0 })
  },
  Workload("a sequence, scan", "sequence forms") { count in tallied(numbers(count).scan(0) { $0 &+ $1 }) },
  Workload("a sequence, map.removeDuplicates", "sequence forms") { count in
    tallied(numbers(count).map { $0 >> 1 }.removeDuplicates())
  },
  Workload("a sequence, collect(10)", "sequence forms") { count in
    tallied(numbers(count).collect(10).map { $0[0] &+ $0.count })
  },
  Workload("a sequence, tryMap", "sequence forms") { count in
    tallied(numbers(count).tryMap { $0 &+ 1 }.replaceError(with: 0))
  },
  Workload("a sequence, prefix(10), each new", "sequence forms", .later, size: 5_000) { count in
    let long = numbers(1_000_000)
    return (0..<count).reduce(0) { sum, _ in sum &+ tallied(long.prefix(10)) }
  },
]

/// No type of the library that has eager operators.
private func numbers(_ count: Int) -> Publishers.SetFailureType<Publishers.Sequence<Range<Int>, Never>, Unexpected> {
  Publishers.SetFailureType(upstream: (0..<count).publisher)
}

@inline(__always)
private func tallied<P: Publisher>(_ publisher: P) -> Int where P.Output == Int {
  let tally = Tally()
  _ = opaque(publisher.sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0) }))
  return tally.sum
}
