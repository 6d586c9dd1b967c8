// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let sources = [
  Workload("Record", "sources") { record($0) },
  Workload("a sequence of one element", "sources", .subscriptions, size: 20_000) { sequencesOfOne($0) },
  Workload("Just", "sources", .subscriptions, size: 20_000) { just($0) },
  Workload("Just, String", "sources", .subscriptions, size: 20_000) { justStrings($0) },
  Workload("Optional.Publisher", "sources", .subscriptions, size: 20_000) { optional($0) },
  Workload("Fail", "sources", .subscriptions, size: 20_000) { fail($0) },
  Workload("Deferred", "sources", .subscriptions, size: 20_000) { deferred($0) },
  Workload("Future", "sources", .subscriptions, size: 20_000) { future($0) },
  Workload("Future, a thousand subscribers", "sources", .later, size: 20_000) { futureOfMany($0) },
]

@inline(never)
private func record(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Record<Int, Never>(output: Array(0..<count), completion: .finished).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func sequencesOfOne(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    _ = opaque(Elements(CollectionOfOne(value)).sink { tally.add($0) })
  }
  return tally.sum
}

@inline(never)
private func just(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    _ = opaque(Just(value).sink { tally.add($0) })
  }
  return tally.sum
}

@inline(never)
private func justStrings(_ count: Int) -> Int {
  let tally = Tally()
  for word in Cycle(words, count: count) {
    _ = opaque(Just(word).sink { tally.add($0.utf8.count) })
  }
  return tally.sum
}

@inline(never)
private func optional(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    _ = opaque(Optional.some(value).publisher.sink { tally.add($0) })
  }
  return tally.sum
}

@inline(never)
private func fail(_ count: Int) -> Int {
  let tally = Tally()
  for _ in 0..<count {
    _ = opaque(
      Fail<Int, Unexpected>(error: Unexpected()).sink(
        receiveCompletion: { _ in tally.add(1) }, receiveValue: { tally.add($0) }))
  }
  return tally.sum
}

@inline(never)
private func deferred(_ count: Int) -> Int {
  let tally = Tally()
  let publisher = Deferred { Just(tally.sum & 1) }
  for _ in 0..<count {
    _ = opaque(publisher.sink { tally.add($0 &+ 1) })
  }
  return tally.sum
}

@inline(never)
private func future(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    _ = opaque(Future<Int, Never> { $0(.success(value)) }.sink { tally.add($0) })
  }
  return tally.sum
}

/// The cost of one of the subscribers that wait for the result.
@inline(never)
private func futureOfMany(_ count: Int) -> Int {
  let tally = Tally()
  for _ in 0..<count / 1_000 {
    var promise: ((Result<Int, Never>) -> Void)?
    let future = Future<Int, Never> { promise = $0 }
    let cancellables = (0..<1_000).map { _ in future.sink { tally.add($0) } }
    promise?(.success(1))
    withExtendedLifetime(cancellables) {}
  }
  return tally.sum
}
