// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Pipelines that OpenCombine 0.14.0 cannot make; its nearest is the zip of two subjects.
public func ownStanding() -> [Standing] {
  [
    Standing("combineLatest of two subjects, sink", one: combined),
    Standing("merge of four subjects, sink", one: merged),
  ]
}

/// The same pipelines, made and dropped one by one.
let ownMaking = ownStanding().compactMap(Workload.making)

@inline(never)
private func combined(_ tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().combineLatest(PassthroughSubject<Int, Never>()).sink { tally.add($0 &+ $1) }
}

@inline(never)
private func merged(_ tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>()
    .merge(with: PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    .sink { tally.add($0) }
}
