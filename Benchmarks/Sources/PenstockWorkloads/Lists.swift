// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Operations on the `combineLatest()` of a list: making it costs in proportion to its length, and a send costs the
/// same for any length.
public func listCrowds() -> [Crowd] {
  [
    Crowd("make combineLatest(), for each publisher", reachesAll: true) { make(publishers: $0, operations: $1) },
    Crowd("first values, for each publisher", reachesAll: true) { fill(publishers: $0, operations: $1) },
    Crowd("send into one of the publishers", reachesAll: false) { sendIntoOne(publishers: $0, operations: $1) },
  ]
}

/// Subscribes, and cancels.
@inline(never)
private func make(publishers: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subjects = (0..<publishers).map { _ in PassthroughSubject<Int, Never>() }
  return ContinuousClock().measure {
    for _ in 0..<operations { opaque(subjects.combineLatest().sink { tally.add($0.count) }).cancel() }
  }
}

/// Sends the first value of each: nothing is published before the last of them, and then an array of all.
@inline(never)
private func fill(publishers: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subjects = (0..<publishers).map { _ in PassthroughSubject<Int, Never>() }
  var duration = Duration.zero
  for value in 0..<operations {
    let cancellable = subjects.combineLatest().sink { tally.add($0[publishers - 1]) }
    duration += ContinuousClock().measure {
      for subject in subjects { subject.send(value) }
    }
    cancellable.cancel()
  }
  return duration
}

@inline(never)
private func sendIntoOne(publishers: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subjects = (0..<publishers).map { _ in PassthroughSubject<Int, Never>() }
  let cancellable = subjects.combineLatest().sink { tally.add($0[publishers / 2]) }
  for subject in subjects { subject.send(0) }
  let duration = ContinuousClock().measure {
    for value in 0..<operations { subjects[publishers / 2].send(value) }
  }
  withExtendedLifetime(cancellable) {}
  return duration
}
