// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Subscriptions that end soon, subscribers that come and go, and the workload of a rival's published figures.
let shortLives = [
  Workload("prefix(10) of a million, each new", "short lives", .later, size: 5_000) { prefixes($0) },
  Workload("Fail.retry(10), each new", "short lives", .later, size: 5_000) { retriedFailures($0) },
  Workload("nine values and a failure, retry(10), each new", "short lives", .later, size: 2_000) { retriedValues($0) },
  Workload("a thousand subscribers, one comes and one goes", "short lives", .later, size: 20_000) { comeAndGo($0) },
  Workload("a thousand subscribers, a send to one", "short lives", .later) { sendToThousand($0) },
  Workload("flatMap, eight at a time, ten values each", "short lives", .later) { flatMapTens($0) },
  // As ReactiveConcurrency measures, with a million values; its identity is the workload PassthroughSubject.
  Workload("a subject and three maps", "short lives", .later) { threeMaps($0) },
]

@inline(never)
private func prefixes(_ count: Int) -> Int {
  let tally = Tally()
  let long = Elements(0..<1_000_000)
  for _ in 0..<count { _ = opaque(long.prefix(10).sink { tally.add($0) }) }
  return tally.sum
}

@inline(never)
private func retriedFailures(_ count: Int) -> Int {
  var ends = 0
  let failing = Fail<Int, Unexpected>(error: Unexpected())
  for _ in 0..<count {
    _ = opaque(failing.retry(10).sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { _ in }))
  }
  return ends
}

@inline(never)
private func retriedValues(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Elements(0..<10).tryMap { value in
    if value == 9 { throw Unexpected() }
    return value
  }
  for _ in 0..<count {
    _ = opaque(failing.retry(10).sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0) }))
  }
  return tally.sum
}

@inline(never)
private func comeAndGo(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  var cancellables = (0..<1_000).map { _ in subject.sink { tally.add($0) } }
  for number in 0..<count { cancellables[number % 1_000] = subject.sink { tally.add($0) } }
  subject.send(1)
  return withExtendedLifetime(cancellables) { tally.sum }
}

@inline(never)
private func sendToThousand(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellables = (0..<1_000).map { _ in subject.sink { tally.add($0) } }
  for value in 0..<count / 1_000 { subject.send(value) }
  return withExtendedLifetime(cancellables) { tally.sum }
}

@inline(never)
private func flatMapTens(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count / 10)
    .flatMap(maxPublishers: .max(8)) { Elements($0..<$0 + 10) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func threeMaps(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.map { $0 &+ 1 }.map { $0 &* 2 }.map { $0 &- 1 }.sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
