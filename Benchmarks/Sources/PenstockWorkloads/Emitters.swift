// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

// Sources that Combine does not have, and a subject beside them as a yardstick.

/// Workloads only for Penstock.
func sourceWorkloads() -> [Workload] {
  [
    Workload("PassthroughSubject, beside create", "sources") { subject($0) },
    Workload("create", "sources") { created($0) },
    Workload("create, on demand", "sources") { createdOnDemand($0) },
    Workload("create, a subscriber that asks one by one", "sources") { createdOneByOne($0) },
    Workload("create, subscriptions", "sources", .subscriptions, size: 10_000) { creations($0) },
    Workload("generate", "sources") { generated($0) },
    Workload("ReplaySubject(capacity: 1)", "subjects") { replayed($0) },
    Workload("CurrentValueRelay", "subjects") { relayed($0) },
  ]
}

/// The emitter that `create` gives to its closure.
private final class Holder { var emitter: Publishers.Emitter<Int, Never>? }

private func emitting(to holder: Holder) -> AnyPublisher<Int, Never> {
  AnyPublisher.create { emitter in
    holder.emitter = emitter
    return AnyCancellable {}
  }
}

@inline(never)
private func subject(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.eraseToAnyPublisher().sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func created(_ count: Int) -> Int {
  let (tally, holder) = (Tally(), Holder())
  let cancellable = emitting(to: holder).sink { tally.add($0) }
  if let emitter = holder.emitter {
    for value in 0..<count { emitter.send(value) }
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func createdOnDemand(_ count: Int) -> Int {
  let tally = Tally()
  let publisher = AnyPublisher<Int, Never>.create { emitter in
    var next = 0
    emitter.onDemand { _ in
      while emitter.isReady, next < count {
        emitter.send(next)
        next += 1
      }
    }
    return AnyCancellable {}
  }
  let cancellable = publisher.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func createdOneByOne(_ count: Int) -> Int {
  let (tally, holder) = (Tally(), Holder())
  let cancellable = emitting(to: holder).sinkOneByOne { tally.add($0) }
  if let emitter = holder.emitter {
    for value in 0..<count { emitter.send(value) }
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func creations(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    AnyPublisher<Int, Never>.create { emitter in
      emitter.send(value)
      return AnyCancellable {}
    }.sink { tally.add($0) }.cancel()
  }
  return tally.sum
}

@inline(never)
private func generated(_ count: Int) -> Int {
  let tally = Tally()
  let numbers = Publishers.generate(state: 0) { next -> Int? in
    if next == count { return nil }
    defer { next += 1 }
    return next
  }
  let cancellable = numbers.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func replayed(_ count: Int) -> Int {
  let tally = Tally()
  let subject = ReplaySubject<Int, Never>(capacity: 1)
  let cancellable = subject.sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func relayed(_ count: Int) -> Int {
  let tally = Tally()
  let relay = CurrentValueRelay(0)
  let cancellable = relay.sink { tally.add($0) }
  for value in 0..<count { relay.accept(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
