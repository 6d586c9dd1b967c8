// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let flattening = [
  Workload("flatMap, one value each", "flattening") { flatMapJusts($0) },
  Workload("flatMap, ten values each", "flattening") { flatMapTens($0) },
  Workload("flatMap, a range of ten each", "flattening", .later) { flatMapRanges($0) },
  Workload("flatMap, an erased Just each", "flattening", .later) { flatMapErased($0) },
  Workload("flatMap, a Deferred each", "flattening", .later) { flatMapDeferred($0) },
  Workload("flatMap, a Future each", "flattening", .later) { flatMapFutures($0) },
  Workload("flatMap, a hundred each, String", "flattening") { flatMapStrings($0) },
  Workload("flatMap, one stream at a time", "flattening") { flatMapOneByOne($0) },
  Workload("flatMap, asked one by one", "flattening") { flatMapAsked($0) },
  Workload("switchToLatest", "flattening") { switchToLatest($0) },
  Workload("switchToLatest, one value each", "flattening", .later) { switchToJusts($0) },
  Workload("switchToLatest, String", "flattening") { switchToLatestStrings($0) },
  Workload("prefix(untilOutputFrom:)", "flattening") { prefixUntil($0) },
  Workload("drop(untilOutputFrom:), String", "flattening") { dropUntilStrings($0) },
]

@inline(never)
private func flatMapJusts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).flatMap { Just($0) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flatMapTens(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count / 10).flatMap { Elements($0..<$0 + 10) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flatMapRanges(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count / 10).flatMap { ($0..<$0 + 10).publisher }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flatMapErased(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).flatMap { Just($0).eraseToAnyPublisher() }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flatMapDeferred(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).flatMap { value in Deferred { Just(value) } }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flatMapFutures(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).flatMap { value in Future<Int, Never> { $0(.success(value)) } }.sink {
    tally.add($0)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flatMapStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count / 100).flatMap { _ in Elements(Cycle(words, count: 100)) }.sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flatMapOneByOne(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count / 10).flatMap(maxPublishers: .max(1)) { Elements($0..<$0 + 10) }.sink {
    tally.add($0)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flatMapAsked(_ count: Int) -> Int {
  let subscriber = OneByOne()
  Elements(0..<count / 100).flatMap(maxPublishers: .max(1)) { Elements($0..<$0 + 100) }.subscribe(subscriber)
  return subscriber.tally.sum
}

/// Requests the next value after each one.
private final class OneByOne: Subscriber {
  typealias Input = Int
  typealias Failure = Never

  let tally = Tally()

  func receive(subscription: any Subscription) { subscription.request(.max(1)) }

  func receive(_ input: Int) -> Subscribers.Demand {
    tally.add(input)
    return .max(1)
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}

@inline(never)
private func switchToLatest(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count / 10).map { Elements($0..<$0 + 10) }.switchToLatest().sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func switchToJusts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).map { Just($0) }.switchToLatest().sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func switchToLatestStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count / 100).map { _ in Elements(Cycle(words, count: 100)) }.switchToLatest().sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func prefixUntil(_ count: Int) -> Int {
  let tally = Tally()
  let never = PassthroughSubject<Void, Never>()
  let cancellable = Elements(0..<count).prefix(untilOutputFrom: never).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func dropUntilStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(words, count: count)).drop(untilOutputFrom: Just(())).sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}
