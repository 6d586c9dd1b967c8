// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Dispatch
import PenstockConcurrency

// The bridges between tasks and streams; OpenCombine has only `values`.

/// Workloads only for Penstock.
func bridgeWorkloads() -> [Workload] {
  [
    Workload("values(buffering: .unbounded)", "asynchronous", size: 10_000) { buffered($0, .unbounded) },
    Workload("values(buffering: .suspending(64))", "asynchronous", size: 10_000) { buffered($0, .suspending(64)) },
    Workload("values(buffering: .latest), a sender", "asynchronous", size: 10_000) { latest($0) },
    Workload("AsyncSequence.publisher", "asynchronous", size: 10_000) { published($0) },
    Workload("mapAsync", "asynchronous", size: 2_000) { mapped($0, 1) },
    Workload("mapAsync of 8, in order", "asynchronous", size: 2_000) { mapped($0, 8) },
    Workload("flatMap, asynchronous closure", "asynchronous", size: 2_000) { flattened($0) },
    Workload("Future, asynchronous closure", "asynchronous", .subscriptions, size: 2_000) { futures($0) },
    Workload("Deferred, asynchronous closure", "asynchronous", .subscriptions, size: 2_000) { deferred($0) },
  ]
}

/// Runs a task, and waits for it.
private func inTask(_ body: @escaping @Sendable (Tally) async -> Void) -> Int {
  let tally = Shared(Tally())
  let done = DispatchSemaphore(value: 0)
  Task {
    await body(tally.value)
    done.signal()
  }
  done.wait()
  return tally.value.sum
}

@inline(never)
private func buffered(_ count: Int, _ policy: AsyncBufferingPolicy) -> Int {
  inTask { tally in
    for await value in Elements(0..<count).values(buffering: policy) { tally.add(value) }
  }
}

/// A loop that keeps up only now and then: the sum is that of the values sent, not of those taken.
@inline(never)
private func latest(_ count: Int) -> Int {
  inTask { tally in
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values(buffering: .latest).makeAsyncIterator()
    for value in 0..<count {
      subject.send(value)
      tally.add(value)
      if value & 7 == 0 { _ = await iterator.next() }
    }
  }
}

@inline(never)
private func published(_ count: Int) -> Int {
  finished { tally in Numbers(end: count).publisher.handleEvents(receiveOutput: { tally.add($0) }) }
}

@inline(never)
private func mapped(_ count: Int, _ width: Int) -> Int {
  finished { tally in
    Elements(0..<count).mapAsync(maxTasks: .max(width)) { $0 &* 3 }.handleEvents(receiveOutput: { tally.add($0) })
  }
}

@inline(never)
private func flattened(_ count: Int) -> Int {
  finished { tally in
    Elements(0..<count).flatMap(maxPublishers: .max(1)) { value async in Just(value) }
      .handleEvents(receiveOutput: { tally.add($0) })
  }
}

@inline(never)
private func futures(_ count: Int) -> Int {
  inTask { tally in
    for value in 0..<count { tally.add(await Future { () async -> Int in value }.value) }
  }
}

@inline(never)
private func deferred(_ count: Int) -> Int {
  inTask { tally in
    for number in 0..<count {
      for await value in Deferred(operation: { () async -> Int in number }).values { tally.add(value) }
    }
  }
}

/// Subscribes, and waits for the end.
private func finished<P: Publisher>(_ pipeline: (Tally) -> P) -> Int {
  let tally = Tally()
  let done = DispatchSemaphore(value: 0)
  let cancellable = pipeline(tally).sink(receiveCompletion: { _ in done.signal() }, receiveValue: { _ in })
  done.wait()
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// An asynchronous sequence of numbers that come at once.
private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
  typealias Failure = Never

  let end: Int
  var last = 0

  func makeAsyncIterator() -> Numbers { self }

  mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
    if last == end { return nil }
    defer { last += 1 }
    return last
  }
}
