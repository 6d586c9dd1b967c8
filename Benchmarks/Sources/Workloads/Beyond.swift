// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Operators that Combine does not have; each side's `Library.swift` defines its version.
let beyond = [
  Workload("shareReplay", "sharing", .beyond) { sharedAndRepeated($0, subscribers: 1) },
  Workload("shareReplay, ten subscribers", "sharing", .beyond, size: 10_000) {
    sharedAndRepeated($0, subscribers: 10)
  },
  Workload("shareReplay, 1,000 subscribers", "sharing", .beyond, size: 200) {
    sharedAndRepeated($0, subscribers: 1_000)
  },
  Workload("pausableSink, one by one", "subscribers", .beyond) { sinkOneByOne($0) },
  Workload("throttle(while:), open", "time", .beyond) { passingWhileFalse($0) },
]

@inline(never)
private func sharedAndRepeated(_ count: Int, subscribers: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let shared = subject.sharedAndRepeated()
  let cancellables = (0..<subscribers).map { _ in shared.sink { tally.add($0) } }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellables) { tally.sum }
}

@inline(never)
private func sinkOneByOne(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).sinkOneByOne { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func passingWhileFalse(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).passingWhileFalse(CurrentValueSubject(false)).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
