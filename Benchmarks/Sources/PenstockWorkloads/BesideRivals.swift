// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Dispatch

// The rows of the comparison with RxJava and ReactivePlusPlus that no other workload stands for: short lives, timers, groups,
// windows and shared buffers.

/// Workloads only for Penstock.
func rivalWorkloads() -> [Workload] {
  [
    Workload("concatMap, a Just each", "rivals", .later) { concatenated($0) },
    Workload("share(buffering: .bounded(128)), a sequence, three subscribers", "rivals", .later) { sharedSequence($0) },
    Workload("share(buffering: .bounded(128)), a subject, three subscribers", "rivals", .later) { sharedSubject($0) },
    Workload("shareReplay(10), a subject, one subscriber", "rivals", .later) { replayed($0) },
    Workload("grouped(by:), ten keys, flatMap", "rivals", .later) { grouped($0, keys: 10) },
    Workload("grouped(by:), 1,000 keys, flatMap", "rivals", .later) { grouped($0, keys: 1_000) },
    Workload("merge of 1,000 sequences", "rivals", .later, size: 100_000) { mergeThousand($0) },
    Workload("window(count: 10), flatMap", "rivals", .later) { windows($0) },
    Workload("collect(upTo: 10, within:) on a queue", "rivals", .later, size: 20_000) { collectedInTime($0) },
    Workload("coalesce, one asked for in 100", "rivals", .later) { coalescedSums($0) },
    Workload("coalesce to the newest, one in 100", "rivals", .later) { coalescedNewest($0) },
    Workload("interval, attach and cancel", "rivals", .later, size: 2_000) { attachToInterval($0) },
    Workload("debounce on a queue, a flood", "rivals", .later) { debounced($0) },
  ]
}

@inline(never)
private func concatenated(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).concatMap { Just($0) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func sharedSequence(_ count: Int) -> Int {
  let tally = Tally()
  let shared = Elements(0..<count).share(buffering: .bounded(128))
  // Each asks for everything when all are attached.
  let sinks = (0..<3).map { _ in
    shared.pausableSink(receiveCompletion: { _ in }) {
      tally.add($0)
      return true
    }
  }
  return withExtendedLifetime(sinks) { tally.sum }
}

@inline(never)
private func sharedSubject(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let shared = subject.share(buffering: .bounded(128))
  let cancellables = (0..<3).map { _ in shared.sink { tally.add($0) } }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellables) { tally.sum }
}

@inline(never)
private func replayed(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.shareReplay(capacity: 10).sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func grouped(_ count: Int, keys: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).grouped(by: { $0 % keys }).flatMap { $0 }
    .sink(receiveCompletion: { _ in }) { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func windows(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).window(count: 10).flatMap { $0 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func collectedInTime(_ count: Int) -> Int {
  let tally = Tally()
  let done = DispatchSemaphore(value: 0)
  let cancellable = Elements(0..<count).collect(
    upTo: 10, weight: .max, within: 100, scheduler: DispatchQueue(label: "batches")
  ) { _ in 1 }
  .sink(receiveCompletion: { _ in done.signal() }) { for value in $0 { tally.add(value) } }
  done.wait()
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// Asks for one value after each hundred that are sent.
private final class Sampler: Subscriber {
  let tally = Tally()
  var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Int) -> Subscribers.Demand {
    tally.add(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}

private func sampled(_ count: Int, _ subject: PassthroughSubject<Int, Never>, _ sampler: Sampler) -> Int {
  for value in 0..<count {
    subject.send(value)
    if value % 100 == 99 { sampler.subscription?.request(.max(1)) }
  }
  sampler.subscription?.cancel()
  return sampler.tally.sum
}

@inline(never)
private func coalescedSums(_ count: Int) -> Int {
  let (subject, sampler) = (PassthroughSubject<Int, Never>(), Sampler())
  subject.coalesce { $0 &+ $1 }.subscribe(sampler)
  return sampled(count, subject, sampler)
}

@inline(never)
private func coalescedNewest(_ count: Int) -> Int {
  let (subject, sampler) = (PassthroughSubject<Int, Never>(), Sampler())
  subject.coalesce { _, newest in newest }.subscribe(sampler)
  return sampled(count, subject, sampler)
}

@inline(never)
private func attachToInterval(_ count: Int) -> Int {
  let queue = DispatchQueue(label: "interval")
  let ticks = Publishers.interval(.seconds(1_000), scheduler: queue)
  for _ in 0..<count { opaque(ticks.sink { _ in }).cancel() }
  return count
}

@inline(never)
private func debounced(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.debounce(for: 1_000, scheduler: DispatchQueue(label: "debounce")).sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  cancellable.cancel()
  return tally.sum &+ count
}

@inline(never)
private func mergeThousand(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Publishers.MergeMany((0..<1_000).map { _ in Elements(0..<count / 1_000) }).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
