// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Pipelines that OpenCombine 0.14.0 cannot make; its nearest is the zip of two subjects.
public func ownStanding() -> [Standing] {
  [
    Standing("combineLatest of two subjects, sink") { count in
      let tally = Tally()
      return (0..<count).map { _ in combined(into: tally) }
    },
    Standing("merge of four subjects, sink") { count in
      let tally = Tally()
      return (0..<count).map { _ in merged(into: tally) }
    },
  ]
}

/// The same, made and dropped one by one.
let ownMaking = ownStanding().map { pipeline in
  Workload("make and drop, \(pipeline.name)", "making", .later, size: 10_000) { count in
    for _ in 0..<count { _ = opaque(pipeline.make(1)) }
    return count
  }
}

@inline(never)
private func combined(into tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().combineLatest(PassthroughSubject<Int, Never>()).sink { tally.add($0 &+ $1) }
}

@inline(never)
private func merged(into tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>()
    .merge(with: PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    .sink { tally.add($0) }
}
