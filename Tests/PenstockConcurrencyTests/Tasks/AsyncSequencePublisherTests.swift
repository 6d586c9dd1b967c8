// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

/// A type that is both kinds of sequence.
private struct Both: Sequence, AsyncSequence, IteratorProtocol, AsyncIteratorProtocol, Sendable {
  typealias Element = Int
  typealias Failure = Never

  mutating func next() -> Int? { nil }
  mutating func next(isolation actor: isolated (any Actor)?) async -> Int? { nil }
  func makeIterator() -> Both { self }
  func makeAsyncIterator() -> Both { self }
}

@Suite struct AsyncSequencePublisherTests {
  @Test func `Every element is published, and then the end`() async {
    let probe = Probe<Int, Never>()
    let numbers = PacedNumbers<Never>(100)
    numbers.publisher.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == Array(1...100))
    #expect(probe.isLawful)
    #expect(numbers.counts.value.pulled == 101)
    #expect(await reached { numbers.counts.value.ended == 1 })
  }

  @Test func `The failure has the type of the sequence's`() async {
    let probe = Probe<Int, TestError>()
    let publisher: some Publisher<Int, TestError> & Sendable = PacedNumbers(2, thenFailing: TestError.oops).publisher
    publisher.subscribe(probe.recorder)
    #expect(await probe.completion() == .failure(.oops))
    #expect(probe.recorder.values == [1, 2])
  }

  @Test func `What is requested is pulled, and no more`() async {
    let probe = Probe<Int, Never>(demand: nil)
    let numbers = PacedNumbers<Never>(20)
    numbers.publisher.subscribe(probe.recorder)
    #expect(await reached { numbers.counts.value.iterators == 1 })
    var expected = 0
    for demand in [1, 2, 5, 1] {
      #expect(numbers.counts.value.pulled == expected)
      probe.recorder.request(.max(demand))
      expected += demand
      #expect(await reached { probe.count == expected })
    }
    #expect(numbers.counts.value.pulled == 9)
    probe.recorder.request(.max(11))
    #expect(await probe.values(20) == Array(1...20))
    #expect(!probe.isOver)
    probe.recorder.request(.max(1))
    #expect(await probe.completion() == .finished)
    #expect(numbers.counts.value.pulled == 21)
    #expect(probe.isLawful)
  }

  @Test func `Demand that is returned for a value, and demand that is requested during it, counts`() async {
    let returning = Probe<Int, Never>(demand: .max(1)) { $0 < 5 ? .max(1) : .none }
    PacedNumbers<Never>(20).publisher.subscribe(returning.recorder)
    #expect(await returning.values(5) == Array(1...5))
    let stop = Locked<(any Subscription)?>(nil)
    let requesting = Probe<Int, Never>(demand: .max(1)) {
      if $0 < 5 { stop.value?.request(.max(1)) }
      return .none
    }
    requesting.recorder.onSubscription = { subscription in stop.change { $0 = subscription } }
    PacedNumbers<Never>(20).publisher.subscribe(requesting.recorder)
    #expect(await reached { requesting.count == 5 })
    for probe in [returning, requesting] { probe.recorder.subscription?.cancel() }
    #expect(returning.count == 5)
    stop.change { $0 = nil }
  }

  @Test func `Requests of many threads add up`() async {
    let probe = Probe<Int, Never>(demand: nil)
    let numbers = PacedNumbers<Never>(10_000)
    numbers.publisher.subscribe(probe.recorder)
    onThreads(4) { _ in
      for _ in 0..<500 { probe.recorder.request(.max(2)) }
    }
    #expect(await reached { probe.count == 4_000 })
    #expect(numbers.counts.value.pulled == 4_000)
    probe.recorder.cancel()
    #expect(await reached { numbers.counts.value.ended == 1 })
    #expect(probe.isLawful)
  }

  @Test func `A cancel in the introduction starts no task`() {
    let numbers = PacedNumbers<Never>(5)
    let probe = Probe<Int, Never>()
    probe.recorder.onSubscription = { $0.cancel() }
    numbers.publisher.subscribe(probe.recorder)
    #expect(numbers.counts.value.iterators == 0)
  }

  @Test func `A cancel without demand ends the suspended task`() async {
    let numbers = PacedNumbers<Never>(5)
    let probe = Probe<Int, Never>(demand: nil)
    numbers.publisher.subscribe(probe.recorder)
    #expect(await reached { numbers.counts.value.iterators == 1 })
    probe.recorder.cancel()
    #expect(await reached { numbers.counts.value.ended == 1 })
    #expect(numbers.counts.value.pulled == 0)
  }

  @Test func `A cancel while the sequence waits cancels its task, and drops what it returns`() async {
    let work = Work()
    var numbers = PacedNumbers<Never>(5)
    numbers.before = { await work.run($0) }
    let probe = Probe<Int, Never>()
    numbers.publisher.subscribe(probe.recorder)
    work.open(1)
    #expect(await reached { work.started == [1, 2] })
    probe.recorder.cancel()
    #expect(work.cancelled == [2])
    #expect(await reached { numbers.counts.value.ended == 1 })
    #expect(probe.recorder.values == [1])
    #expect(probe.isLawful)
  }

  @Test(arguments: 1...12)
  func `A cancel during any delivery is the last thing that happens`(_ last: Int) async {
    let numbers = PacedNumbers<Never>(12)
    let stop = Locked<(any Subscription)?>(nil)
    let probe = Probe<Int, Never> {
      if $0 == last { stop.value?.cancel() }
      return .max(1)
    }
    probe.recorder.onSubscription = { subscription in stop.change { $0 = subscription } }
    numbers.publisher.subscribe(probe.recorder)
    #expect(await reached { numbers.counts.value.ended == 1 })
    #expect(probe.count == last && !probe.isOver)
    #expect(numbers.counts.value.pulled == last)
    stop.change { $0 = nil }
  }

  @Test func `A cancel from another thread may come at any moment`() async {
    for round in 0..<500 {
      let numbers = PacedNumbers<Never>(20)
      let probe = Probe<Int, Never>(demand: .max(1)) { _ in .max(1) }
      numbers.publisher.subscribe(probe.recorder)
      for _ in 0..<round % 25 { await Task.yield() }
      probe.recorder.subscription?.cancel()
      #expect(await reached { numbers.counts.value.iterators == numbers.counts.value.ended })
      #expect(!probe.recorder.hasOverlapped)
    }
  }

  @Test(arguments: ["end", "cancel", "cancel without demand"])
  func `Nothing is left in memory`(_ ending: String) async {
    var graveyard = Graveyard()
    let counts: Locked<PacedNumbers<Never>.Counts>
    do {
      let canary = graveyard.watch(Canary(), "captured")
      var numbers = PacedNumbers<Never>(5)
      numbers.before = { _ in withExtendedLifetime(canary) {} }
      counts = numbers.counts
      let probe = graveyard.watch(Probe<Int, Never>(demand: ending == "cancel without demand" ? nil : .max(6)), "probe")
      numbers.publisher.subscribe(probe.recorder)
      switch ending {
      case "end": #expect(await probe.completion() == .finished)
      case "cancel": #expect(await reached { probe.count > 1 })
      default: #expect(await reached { counts.value.iterators == 1 })
      }
      probe.recorder.subscription?.cancel()
      probe.recorder.releaseSubscriptions()
    }
    #expect(await reached { graveyard.survivors.isEmpty }, "\(graveyard.survivors)")
    #expect(await reached { counts.value.ended == 1 })
  }

  @Test func `A cancel frees the subscriber, even if the sequence does not notice`() async {
    var graveyard = Graveyard()
    let gate = AsyncStream.makeStream(of: Void.self)
    let waiting = Locked(false)
    var numbers = PacedNumbers<Never>(5)
    numbers.before = { [stream = gate.stream] _ in
      waiting.change { $0 = true }
      // A task of its own, which the cancel does not reach.
      await Task { for await _ in stream { return } }.value
    }
    do {
      let probe = graveyard.watch(Probe<Int, Never>(), "probe")
      numbers.publisher.subscribe(probe.recorder)
      #expect(await reached { waiting.value })
      probe.recorder.dismiss()
    }
    #expect(graveyard.survivors.isEmpty)
    gate.continuation.finish()
    #expect(await reached { numbers.counts.value.ended == 1 })
  }

  @Test func `The task has the task-local values of the code that subscribes`() async {
    let seen = Locked("")
    var numbers = PacedNumbers<Never>(1)
    numbers.before = { _ in seen.change { $0 = Trace.name } }
    let probe = Probe<Int, Never>()
    let publisher = Trace.$name.withValue("maker") { numbers.publisher }
    Trace.$name.withValue("subscriber") { publisher.subscribe(probe.recorder) }
    #expect(await probe.completion() == .finished)
    #expect(seen.value == "subscriber")
  }

  @Test func `A type that is a sequence as well has that publisher`() {
    #expect(type(of: Both().publisher) == Publishers.Sequence<Both, Never>.self)
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let probe = Probe<Int, Never>(demand: nil)
      PacedNumbers<Never>(1).publisher.subscribe(probe.recorder)
      probe.recorder.subscription?.request(.none)
    }
    expectMessage(result, "request(.none)")
  }
}
