// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct CollectByTimeTests {
  private typealias Strategy = Publishers.TimeGroupingStrategy<TestClock>

  private struct Bench {
    let clock = testClock()
    let source = ManualPublisher<Int, TestError>()
    let recorder: Recorder<[Int], TestError>

    init(count: Int? = nil, demand: Subscribers.Demand? = .unlimited) {
      recorder = Recorder(demand: demand)
      let strategy: Strategy = if let count { .byTimeOrCount(clock, 1, count) } else { .byTime(clock, 1) }
      source.collect(strategy, options: "quick").subscribe(recorder)
    }

    func send(_ values: Int...) { for value in values { source.send(value) } }
  }

  @Test(arguments: [nil, 3])
  func `The calls of the scheduler`(_ count: Int?) {
    let bench = Bench(count: count)
    #expect(
      bench.clock.takeCalls() == [
        .now, .minimumTolerance, .scheduleRepeating(1, interval: 1, tolerance: 0.125, options: "quick"),
      ])
    bench.send(1, 2)
    bench.clock.base.advance(by: 1)
    #expect(bench.clock.takeCalls().isEmpty)
    bench.send(3, 4, 5)
    #expect(bench.clock.takeCalls() == (count == nil ? [] : [.schedule(options: "quick")]))
    bench.source.send(completion: .finished)
    #expect(bench.clock.takeCalls() == [.cancel(0), .schedule(options: "quick")])
    bench.clock.base.advance()
    #expect(bench.recorder.values == [[1, 2], [3, 4, 5]])
    #expect(bench.recorder.isFinished)
  }

  @Test func `Its parts are what it was made of`() {
    let clock = testClock()
    let publisher = Just(1).collect(.byTimeOrCount(clock, 3, 4), options: "quick")
    #expect(publisher.upstream == Just(1))
    #expect(publisher.options == "quick")
    guard case .byTimeOrCount(let scheduler, 3, 4) = publisher.strategy else {
      Issue.record("\(publisher.strategy)")
      return
    }
    #expect(scheduler === clock)
  }

  @Test func `A tick with nothing collected delivers nothing`() {
    let bench = Bench()
    bench.clock.base.advance(by: 3)
    bench.send(1)
    bench.clock.base.advance(by: 3)
    #expect(bench.recorder.values == [[1]])
  }

  @Test func `By time, values without demand go on being collected`() {
    let bench = Bench(demand: .max(1))
    bench.recorder.request(.none)
    for value in 1...4 {
      bench.send(value)
      bench.clock.base.advance(by: 1)
    }
    #expect(bench.recorder.values == [[1]])
    bench.recorder.onValue = { _ in .max(1) }
    bench.recorder.request(.max(1))
    bench.clock.base.advance(by: 1)
    bench.send(5)
    bench.clock.base.advance(by: 1)
    #expect(bench.recorder.values == [[1], [2, 3, 4], [5]])
    #expect(bench.source.subscription?.requests == [.max(1), .max(1)])
    #expect(bench.source.send(6) == .max(1))
  }

  @Test func `An array that is full goes out at once, and the ticks go on as before`() {
    let bench = Bench(count: 2)
    bench.clock.base.advance(by: 0.5)
    bench.send(1, 2, 3)
    bench.clock.base.advance()
    #expect(bench.recorder.values == [[1, 2]])
    bench.clock.base.advance(by: 0.5)
    #expect(bench.recorder.values == [[1, 2], [3]])
  }

  @Test func `By time or count, upstream is asked for what the arrays can hold`() {
    let bench = Bench(count: 3, demand: .max(2))
    bench.recorder.onValue = { $0.count == 3 ? .max(2) : .none }
    #expect(bench.source.subscription?.requests == [.max(6)])
    #expect(bench.source.send(1) == .none)
    bench.send(2, 3)
    #expect(bench.source.subscription?.requests == [.max(6)])
    bench.clock.base.advance()
    #expect(bench.recorder.values == [[1, 2, 3]])
    #expect(bench.source.subscription?.requests == [.max(6), .max(6)])
  }

  @Test func `An array that is full before it is asked for goes out when it is`() {
    let bench = Bench(count: 2, demand: .max(2))
    for value in 1...2 {
      bench.send(value)
      bench.clock.base.advance(by: 1)
    }
    bench.send(3, 4)
    bench.clock.base.advance(by: 5)
    #expect(bench.recorder.values == [[1], [2]])
    bench.recorder.request(.max(1))
    bench.clock.base.advance()
    #expect(bench.recorder.values == [[1], [2], [3, 4]])
  }

  @Test(arguments: [nil, 3])
  func `What is left at a finish waits until it is asked for, and the completion behind it`(_ count: Int?) {
    let bench = Bench(count: count, demand: .max(1))
    bench.send(1)
    bench.clock.base.advance(by: 1)
    bench.send(2, 3)
    bench.source.send(completion: .finished)
    bench.clock.base.advance(by: 5)
    #expect(bench.recorder.values == [[1]])
    #expect(bench.recorder.completions.isEmpty)
    #expect(bench.clock.base.pending.isEmpty)
    _ = bench.clock.takeCalls()
    bench.recorder.request(.max(1))
    #expect(bench.recorder.values == [[1]])
    #expect(bench.clock.takeCalls() == [.schedule(options: "quick")])
    bench.clock.base.advance()
    #expect(bench.recorder.values == [[1], [2, 3]])
    #expect(bench.recorder.isFinished)
  }

  @Test func `What a delivery returns may pay for what is left`() {
    let bench = Bench(demand: .max(1))
    bench.recorder.onValue = { values in
      if values == [1] {
        bench.send(2)
        bench.source.send(completion: .finished)
      }
      return .max(1)
    }
    bench.send(1)
    bench.clock.base.advance(by: 1)
    #expect(bench.recorder.values == [[1], [2]])
    #expect(bench.recorder.isFinished)
  }

  @Test func `What is left, if it is more than an array holds, goes out in several as they are asked for`() {
    let bench = Bench(count: 2, demand: .max(3))
    for value in 1...3 {
      bench.send(value)
      bench.clock.base.advance(by: 1)
    }
    bench.send(4, 5, 6)
    bench.source.send(completion: .finished)
    bench.recorder.request(.max(1))
    bench.clock.base.advance()
    #expect(bench.recorder.values == [[1], [2], [3], [4, 5]])
    #expect(bench.recorder.completions.isEmpty)
    bench.recorder.request(.max(5))
    bench.clock.base.advance()
    #expect(bench.recorder.values == [[1], [2], [3], [4, 5], [6]])
    #expect(bench.recorder.isFinished)
  }

  @Test func `A cancel drops what is left, and waits to be asked for`() {
    var graveyard = Graveyard()
    let clock = VirtualTimeScheduler()
    let recorder = Recorder<[Canary], Never>(demand: .max(1))
    do {
      let subject = PassthroughSubject<Canary, Never>()
      subject.collect(.byTime(clock, 1)).subscribe(recorder)
      subject.send(Canary())
      clock.advance(by: 1)
      subject.send(graveyard.watch(Canary()))
      subject.send(completion: .finished)
    }
    #expect(graveyard.survivors.count == 1)
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
    recorder.request(.max(1))
    clock.advance(by: 1)
    #expect(recorder.values.count == 1)
    #expect(recorder.completions.isEmpty)
  }

  @Test func `A failure drops what is left`() {
    let bench = Bench()
    bench.send(1)
    bench.source.send(completion: .failure(.oops))
    bench.clock.base.advance()
    #expect(bench.recorder.values.isEmpty)
    #expect(bench.recorder.completions == [.failure(.oops)])
    #expect(bench.clock.base.pending.isEmpty)
  }

  @Test func `The clock does not keep a chain that everything else has released`() {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    do {
      let source = ManualPublisher<Int, Never>()
      let recorder = graveyard.watch(Recorder<[Int], Never>(), "downstream")
      source.collect(.byTime(scheduler, 1)).subscribe(recorder)
      source.send(1)
      recorder.releaseSubscriptions()
      source.releaseSubscribers()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `With a count of 0 no empty array is delivered, and nothing is asked for unless everything is`() {
    let bench = Bench(count: 0, demand: .max(2))
    bench.clock.base.advance(by: 3)
    #expect(bench.recorder.values.isEmpty)
    #expect(bench.source.subscription?.requests == [])
    bench.recorder.request(.unlimited)
    #expect(bench.source.subscription?.requests == [.unlimited])
    bench.send(1)
    bench.clock.base.advance(by: 3)
    #expect(bench.recorder.values == [[1]])
  }

  @Test func `A negative count traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scheduler = VirtualTimeScheduler()
      _ = Just(1).collect(.byTimeOrCount(scheduler, 1, -1)).sink { _ in }
    }
    expectMessage(result, "takes a count of 0 or more")
  }
}
