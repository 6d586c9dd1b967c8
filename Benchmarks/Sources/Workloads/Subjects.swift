// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let subjects = [
  Workload("PassthroughSubject", "subjects") { passthrough($0) },
  Workload("PassthroughSubject, String", "subjects") { passthroughStrings($0) },
  Workload("PassthroughSubject, class", "subjects") { passthroughTokens($0) },
  Workload("PassthroughSubject.map.filter.sink", "subjects") { passthroughChain($0) },
  Workload("PassthroughSubject, ten subscribers", "subjects", size: 10_000) { tenSubscribers($0) },
  Workload("PassthroughSubject, limited demand", "subjects") { limitedDemand($0) },
  Workload("PassthroughSubject, two senders", "subjects", size: 100_000) { twoSenders($0) },
  Workload("CurrentValueSubject", "subjects") { currentValue($0) },
  Workload("CurrentValueSubject, String", "subjects") { currentString($0) },
  Workload("CurrentValueSubject, two senders", "subjects", size: 100_000) { twoSendersOfCurrentValue($0) },
]

@inline(never)
private func passthrough(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func passthroughStrings(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<String, Never>()
  let cancellable = subject.sink { tally.add($0.utf8.count) }
  for word in Cycle(words, count: count) { subject.send(word) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func passthroughTokens(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Token, Never>()
  let cancellable = subject.sink { tally.add($0.number) }
  for token in Cycle(tokens, count: count) { subject.send(token) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func passthroughChain(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func tenSubscribers(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellables = (0..<10).map { _ in subject.sink { tally.add($0) } }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellables) { tally.sum }
}

/// A subscriber that requests one value at a time.
@inline(never)
private func limitedDemand(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  subject.subscribe(
    AnySubscriber(
      receiveSubscription: { $0.request(.max(1)) },
      receiveValue: {
        tally.add($0)
        return .max(1)
      }))
  for value in 0..<count { subject.send(value) }
  subject.send(completion: .finished)
  return tally.sum
}

@inline(never)
private func twoSenders(_ count: Int) -> Int {
  let tally = Tally()
  let shared = Shared(PassthroughSubject<Int, Never>())
  let cancellable = shared.value.sink { tally.add($0) }
  onTwoThreads { thread in
    for value in 0..<count / 2 { shared.value.send(value &+ thread) }
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func currentValue(_ count: Int) -> Int {
  let tally = Tally()
  let subject = CurrentValueSubject<Int, Never>(0)
  let cancellable = subject.sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func currentString(_ count: Int) -> Int {
  let tally = Tally()
  let subject = CurrentValueSubject<String, Never>("")
  let cancellable = subject.sink { tally.add($0.utf8.count) }
  for word in Cycle(words, count: count) { subject.value = word }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func twoSendersOfCurrentValue(_ count: Int) -> Int {
  let tally = Tally()
  let shared = Shared(CurrentValueSubject<Int, Never>(0))
  let cancellable = shared.value.sink { tally.add($0) }
  onTwoThreads { thread in
    for value in 0..<count / 2 { shared.value.send(value &+ thread) }
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}
