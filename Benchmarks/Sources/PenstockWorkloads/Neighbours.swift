// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Dispatch
import PenstockOperators

/// An operator of Combine, and the nearest one beyond Combine: both on Penstock.
public func neighbourWorkloads() -> [(Workload, Workload)] {
  [
    (
      Workload("combineLatest, withLatestFrom", "neighbours") { combined($0) { $0.combineLatest($1) { $0 &+ $1 } } },
      Workload("combineLatest, withLatestFrom", "neighbours") { combined($0) { $0.withLatestFrom($1) { $0 &+ $1 } } }
    ),
    (
      Workload("flatMap(.max(1)), concatMap", "neighbours") { flattened($0) },
      Workload("flatMap(.max(1)), concatMap", "neighbours") { concatenated($0) }
    ),
    (
      Workload("flatMap, flatMapSequential", "neighbours") { flattenedAtOnce($0) },
      Workload("flatMap, flatMapSequential", "neighbours") { inOrder($0) }
    ),
    (
      Workload("flatMap, expand", "neighbours") { flattenedAtOnce($0) },
      Workload("flatMap, expand", "neighbours") { expanded($0) }
    ),
    (
      Workload("map.switchToLatest, flatMapLatest", "neighbours") { switched($0) },
      Workload("map.switchToLatest, flatMapLatest", "neighbours") { latest($0) }
    ),
    (
      Workload("combineLatest of four: typed, a list", "neighbours") { four($0) },
      Workload("combineLatest of four: typed, a list", "neighbours") { list($0, of: 4) }
    ),
    (
      Workload("combineLatest of a list: 10, 100,000", "neighbours", size: 200_000) { list($0, of: 10) },
      Workload("combineLatest of a list: 10, 100,000", "neighbours", size: 200_000) { list($0, of: 100_000) }
    ),
    (
      Workload("a new group: of 100,000, of a million", "neighbours", size: 1_000_000) { grouped($0, by: 100_000) },
      Workload("a new group: of 100,000, of a million", "neighbours", size: 1_000_000) { grouped($0, by: 1_000_000) }
    ),
    (
      Workload("a subject: filter, coalesce", "neighbours") { sent($0, through: filtering) },
      Workload("a subject: filter, coalesce", "neighbours") { sent($0, through: coalescing) }
    ),
    (
      Workload("a subject: filter, pace", "neighbours") { sent($0, through: filtering) },
      Workload("a subject: filter, pace", "neighbours") { sent($0, through: pacing) }
    ),
    (
      Workload("a value through filter, through amb", "neighbours") { filtered($0) },
      Workload("a value through filter, through amb", "neighbours") { raced($0) }
    ),
    (
      Workload("share, share(buffering: .bounded)", "neighbours") { plain($0, subscribers: 1) },
      Workload("share, share(buffering: .bounded)", "neighbours") { buffered($0, subscribers: 1, .bounded(64)) }
    ),
    (
      Workload("the same, ten subscribers", "neighbours", size: 100_000) { plain($0, subscribers: 10) },
      Workload("the same, ten subscribers", "neighbours", size: 100_000) { buffered($0, subscribers: 10, .bounded(64)) }
    ),
    (
      Workload("share, share(buffering: .newest), ten", "neighbours", size: 100_000) { plain($0, subscribers: 10) },
      Workload("share, share(buffering: .newest), ten", "neighbours", size: 100_000) {
        buffered($0, subscribers: 10, .newest(64))
      }
    ),
    (
      Workload("share, share(buffering: .oldest), ten", "neighbours", size: 100_000) { plain($0, subscribers: 10) },
      Workload("share, share(buffering: .oldest), ten", "neighbours", size: 100_000) {
        buffered($0, subscribers: 10, .oldest(64))
      }
    ),
  ]
}

@inline(never)
private func combined<P: Publisher<Int, Never>>(
  _ count: Int, _ combine: (PassthroughSubject<Int, Never>, CurrentValueSubject<Int, Never>) -> P
) -> Int {
  let tally = Tally()
  let (values, other) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(7))
  let cancellable = combine(values, other).sink { tally.add($0) }
  for value in 0..<count { values.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// Each value begins a group, and streams with that many groups follow each other: a group costs the same, however many
/// there are.
@inline(never)
private func grouped(_ count: Int, by keys: Int) -> Int {
  let tally = Tally()
  for first in stride(from: 0, to: count, by: keys) {
    let keyed = Elements(first..<min(first + keys, count)).grouped(by: { $0 }, maxGroups: keys)
    let cancellable = keyed.flatMap { $0 }.sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
    withExtendedLifetime(cancellable) {}
  }
  return tally.sum
}

/// Sends from outside the pipeline, which then is not a loop of its source.
@inline(never)
private func sent(
  _ count: Int, through connect: (PassthroughSubject<Int, Never>, Tally) -> AnyCancellable
) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = connect(subject, tally)
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

private func filtering(_ subject: PassthroughSubject<Int, Never>, _ tally: Tally) -> AnyCancellable {
  subject.filter { $0 >= 0 }.sink { tally.add($0) }
}

private func coalescing(_ subject: PassthroughSubject<Int, Never>, _ tally: Tally) -> AnyCancellable {
  subject.coalesce { $0 &+ $1 }.sink { tally.add($0) }
}

private func pacing(_ subject: PassthroughSubject<Int, Never>, _ tally: Tally) -> AnyCancellable {
  subject.pace(1, per: .seconds(1), burst: 1 << 40, scheduler: DispatchQueue.main).sink { tally.add($0) }
}

@inline(never)
private func flattened(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).flatMap(maxPublishers: .max(1)) { Just($0) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func concatenated(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).concatMap { Just($0) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flattenedAtOnce(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).flatMap { Just($0) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func inOrder(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).flatMapSequential { Just($0) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// Each value becomes the publisher of the next.
@inline(never)
private func expanded(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Just(0).expand { Optional<Int>.Publisher($0 + 1 < count ? $0 + 1 : nil) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func switched(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).map { Just($0) }.switchToLatest().sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func latest(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).flatMapLatest { Just($0) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func four(_ count: Int) -> Int {
  let tally = Tally()
  let subjects = (0..<4).map { CurrentValueSubject<Int, Never>($0) }
  let cancellable = subjects[0].combineLatest(subjects[1], subjects[2], subjects[3]).sink { tally.add($0.0) }
  for value in 0..<count { subjects[0].send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func list(_ count: Int, of width: Int) -> Int {
  let tally = Tally()
  let subjects = (0..<width).map { CurrentValueSubject<Int, Never>($0) }
  let cancellable = subjects.combineLatest().sink { tally.add($0[0]) }
  for value in 0..<count { subjects[0].send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func filtered(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.filter { $0 >= 0 }.sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func raced(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.amb(Empty(completeImmediately: false)).sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func plain(_ count: Int, subscribers: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let shared = subject.share()
  let cancellables = (0..<subscribers).map { _ in shared.sink { tally.add($0) } }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellables) { tally.sum }
}

@inline(never)
private func buffered(_ count: Int, subscribers: Int, _ policy: ShareBufferingPolicy) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let shared = subject.share(buffering: policy)
  let cancellables = (0..<subscribers).map { _ in shared.sink { tally.add($0) } }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellables) { tally.sum }
}
