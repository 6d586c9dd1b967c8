// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

// Operators that OpenCombine 0.14.0 lacks or ends too early: its zip ignores the demand that `receive(_:)` returns.

/// Workloads only for Penstock.
public func ownWorkloads() -> [Workload] {
  [
    Workload("merge", "combining") { merge($0) },
    Workload("merge, String", "combining") { mergeStrings($0) },
    Workload("merge of two subjects", "combining") { mergeSubjects($0) },
    Workload("merge of four subjects", "combining") { mergeFour($0) },
    Workload("merge of two Justs, each new", "combining", size: 20_000) { mergeJusts($0) },
    Workload("merge, two senders", "combining", size: 100_000) { mergeTwoSenders($0) },
    Workload("zip, limited demand", "combining") { zipOneByOne($0) },
    Workload("combineLatest", "combining") { combineLatest($0) },
    Workload("combineLatest, String", "combining") { combineLatestStrings($0) },
    Workload("combineLatest of two subjects", "combining") { combineLatestTwo($0) },
    Workload("combineLatest of three subjects", "combining") { combineLatestSubjects($0) },
  ] + bridgeWorkloads() + sourceWorkloads() + ownMaking + pressureWorkloads() + resilienceWorkloads()
    + rivalWorkloads()
}

/// Operations on operators with many upstreams.
public func ownCrowds() -> [Crowd] {
  [
    Crowd("subscribe to MergeMany, for each upstream", reachesAll: true) { mergeMany(upstreams: $0, operations: $1) },
    Crowd("send into one of MergeMany's upstreams", reachesAll: false) { sendIntoOne(upstreams: $0, operations: $1) },
    Crowd("attach to shareReplay and cancel", reachesAll: false) { joinReplay(subscribers: $0, operations: $1) },
  ]
}

/// Operations on nests of operators, as deep as the crowd is large.
public func ownNests() -> [Crowd] {
  [
    Crowd("send through combineLatest, for each level", reachesAll: true) { combineNested(levels: $0, operations: $1) }
  ]
}

@inline(never)
private func merge(_ count: Int) -> Int {
  let tally = Tally()
  let half = Elements(0..<count / 2)
  let cancellable = half.map { $0 }.merge(with: half).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mergeStrings(_ count: Int) -> Int {
  let tally = Tally()
  let half = Elements(Cycle(words, count: count / 2))
  let cancellable = half.map { $0 }.merge(with: half).sink { tally.add($0.utf8.count) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mergeSubjects(_ count: Int) -> Int {
  let tally = Tally()
  let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let cancellable = first.map { $0 }.merge(with: second).sink { tally.add($0) }
  for value in 0..<count / 2 {
    first.send(value)
    second.send(value)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mergeTwoSenders(_ count: Int) -> Int {
  let tally = Tally()
  let subjects = Shared([PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()])
  let cancellable = Publishers.MergeMany(subjects.value).sink { tally.add($0) }
  onTwoThreads { thread in
    for value in 0..<count / 2 { subjects.value[thread].send(value) }
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// A subscriber that requests one pair at a time.
@inline(never)
private func zipOneByOne(_ count: Int) -> Int {
  let tally = Tally()
  Elements(0..<count).zip(Elements(0..<count)).subscribe(
    AnySubscriber(
      receiveSubscription: { $0.request(.max(1)) },
      receiveValue: {
        tally.add($0.0 &+ $0.1)
        return .max(1)
      }))
  return tally.sum
}

@inline(never)
private func combineLatest(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Just(1).combineLatest(Elements(0..<count)).sink { tally.add($0.0 &+ $0.1) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func combineLatestStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Just(words[0]).combineLatest(Elements(Cycle(words, count: count))).sink {
    tally.add($0.0.utf8.count &+ $0.1.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func combineLatestSubjects(_ count: Int) -> Int {
  let tally = Tally()
  let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
  let cancellable = subjects[0].combineLatest(subjects[1], subjects[2]).sink { tally.add($0.0 &+ $0.1 &+ $0.2) }
  for value in 0..<count { subjects[value % 3].send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mergeMany(upstreams: Int, operations: Int) -> Duration {
  let tally = Tally()
  let merged = Publishers.MergeMany((0..<upstreams).map { Just($0) })
  return ContinuousClock().measure {
    for _ in 0..<operations { _ = opaque(merged.sink { tally.add($0) }) }
  }
}

@inline(never)
private func sendIntoOne(upstreams: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subjects = (0..<upstreams).map { _ in PassthroughSubject<Int, Never>() }
  let cancellable = Publishers.MergeMany(subjects).sink { tally.add($0) }
  let duration = ContinuousClock().measure {
    for value in 0..<operations { subjects[upstreams / 2].send(value) }
  }
  withExtendedLifetime(cancellable) {}
  return duration
}

@inline(never)
private func combineNested(levels: Int, operations: Int) -> Duration {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let nested = (0..<levels).reduce(subject.eraseToAnyPublisher()) { inner, level in
    inner.combineLatest(Just(level)) { $0 &+ $1 }.eraseToAnyPublisher()
  }
  let cancellable = nested.sink { tally.add($0) }
  let duration = ContinuousClock().measure {
    for value in 0..<operations { subject.send(value) }
  }
  withExtendedLifetime(cancellable) {}
  return duration
}

@inline(never)
private func mergeFour(_ count: Int) -> Int {
  let tally = Tally()
  // Not in an array, which would count references for each send.
  let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let (third, fourth) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let cancellable = first.merge(with: second, third, fourth).sink { tally.add($0) }
  for value in 0..<count / 4 {
    first.send(value)
    second.send(value)
    third.send(value)
    fourth.send(value)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func combineLatestTwo(_ count: Int) -> Int {
  let tally = Tally()
  let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let cancellable = first.combineLatest(second).sink { tally.add($0.0 &+ $0.1) }
  for value in 0..<count / 2 {
    first.send(value)
    second.send(value)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func mergeJusts(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    _ = opaque(Just(value).merge(with: Just(value)).sink { tally.add($0) })
  }
  return tally.sum
}
