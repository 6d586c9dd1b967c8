// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import PenstockConcurrency

/// One pipeline with Combine's operators and with those of `SendablePublisher`, which should cost the same.
public func checkedWorkloads() -> [(Workload, Workload)] {
  [
    (
      Workload("PassthroughSubject.map.filter.sink", "checked") { plainSubject($0) },
      Workload("PassthroughSubject.map.filter.sink", "checked") { checkedSubject($0) }
    ),
    (
      Workload("sequence.map.filter.sink", "checked") { plainSequence($0) },
      Workload("sequence.map.filter.sink", "checked") { checkedSequence($0) }
    ),
  ]
}

// Both sides of a pair have the same closures, which add to the same kind of object.

@inline(never)
private func plainSubject(_ count: Int) -> Int {
  let total = Shared(Tally())
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.map { @Sendable in $0 &* 3 }.filter { @Sendable in $0 & 1 == 0 }
    .sink { @Sendable in total.value.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { total.value.sum }
}

@inline(never)
private func checkedSubject(_ count: Int) -> Int {
  let total = Shared(Tally())
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.sendable.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { total.value.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { total.value.sum }
}

@inline(never)
private func plainSequence(_ count: Int) -> Int {
  let total = Shared(Tally())
  // After an operator that no sequence has itself: `map` and `filter` of a sequence are other operators.
  let cancellable = (0..<count).publisher.handleEvents().map { @Sendable in $0 &* 3 }
    .filter { @Sendable in $0 & 1 == 0 }.sink { @Sendable in total.value.add($0) }
  return withExtendedLifetime(cancellable) { total.value.sum }
}

@inline(never)
private func checkedSequence(_ count: Int) -> Int {
  let total = Shared(Tally())
  let cancellable = (0..<count).publisher.sendable.handleEvents().map { $0 &* 3 }.filter { $0 & 1 == 0 }
    .sink { total.value.add($0) }
  return withExtendedLifetime(cancellable) { total.value.sum }
}
