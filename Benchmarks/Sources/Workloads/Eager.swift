// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// What `Publishers.Sequence` does itself, on its elements. The last operator of each is one that it does not have, so
/// that there is something to subscribe to.
let eager = [
  Workload("(0..<n).publisher.sink", "eager", .eager) { plain($0) }
]

@inline(never)
private func plain(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = (0..<count).publisher.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
