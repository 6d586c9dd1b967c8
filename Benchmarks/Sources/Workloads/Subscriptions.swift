// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let subscriptions = [
  Workload("attach and cancel, PassthroughSubject", "subscriptions", .subscriptions, size: 20_000) { attach($0) },
  Workload("attach and cancel, map.filter.sink", "subscriptions", .subscriptions, size: 20_000) { attachChain($0) },
  Workload("attach and cancel, CurrentValueSubject", "subscriptions", .subscriptions, size: 20_000) {
    attachToCurrentValue($0)
  },
  Workload("attach and cancel, erased", "subscriptions", .subscriptions, size: 20_000) { attachErased($0) },
]

// Each cancellable passes through `opaque(_:)`, as if it were kept for a while: one that never leaves its function need
// not even be allocated.

@inline(never)
private func attach(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  for _ in 0..<count {
    opaque(subject.sink { tally.add($0) }).cancel()
  }
  subject.send(1)
  return tally.sum
}

@inline(never)
private func attachChain(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  for _ in 0..<count {
    opaque(subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }).cancel()
  }
  subject.send(1)
  return tally.sum
}

@inline(never)
private func attachToCurrentValue(_ count: Int) -> Int {
  let tally = Tally()
  let subject = CurrentValueSubject<Int, Never>(1)
  for _ in 0..<count {
    opaque(subject.sink { tally.add($0) }).cancel()
  }
  return tally.sum
}

@inline(never)
private func attachErased(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let erased = subject.eraseToAnyPublisher()
  for _ in 0..<count {
    opaque(erased.sink { tally.add($0) }).cancel()
  }
  subject.send(1)
  return tally.sum
}
