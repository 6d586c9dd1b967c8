// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// Completions, cancels, memory, threads and mistakes.
@Suite struct CollectByWeightEndTests {
  // MARK: Completion

  @Test func `At the end the open array goes first, without waiting for its time`() {
    let bench = WeightBench(demand: .unlimited)
    bench.send(1, 2)
    bench.source.send(completion: .finished)
    bench.settle()
    #expect(bench.recorder.values == [[1, 2]])
    #expect(bench.recorder.isFinished)
    #expect(bench.clock.pending.isEmpty)
    #expect(bench.source.calls == [.requested(.max(3))])
  }

  @Test func `What is left waits until it is asked for, and the completion behind it`() {
    let bench = WeightBench(upTo: 9, demand: nil)
    bench.send(6, 7, 1)
    bench.source.send(completion: .finished)
    bench.clock.advance(by: 5)
    #expect(bench.recorder.values.isEmpty && bench.recorder.completions.isEmpty)
    bench.recorder.request(.max(1))
    bench.settle()
    #expect(bench.recorder.values == [[6]])
    #expect(bench.recorder.completions.isEmpty)
    bench.recorder.request(.max(1))
    bench.settle()
    #expect(bench.recorder.values == [[6], [7, 1]])
    #expect(bench.recorder.isFinished)
  }

  @Test func `An end behind an array that is being delivered comes after it, without demand`() {
    let bench = WeightBench(demand: .max(1))
    bench.send(1, 2, 3)
    bench.source.send(completion: .finished)
    bench.settle()
    #expect(bench.recorder.values == [[1, 2, 3]])
    #expect(bench.recorder.isFinished)
  }

  @Test func `A stream without values ends without an array, and without demand`() {
    let bench = WeightBench(demand: nil)
    bench.source.send(completion: .finished)
    bench.settle()
    #expect(bench.recorder.values.isEmpty)
    #expect(bench.recorder.isFinished)
  }

  @Test func `Upstream may end during a delivery`() {
    let bench = WeightBench(demand: .unlimited)
    bench.recorder.onValue = { values in
      if values == [1, 1, 1] {
        bench.send(2)
        bench.source.send(completion: .finished)
      }
      return .none
    }
    bench.send(1, 1, 1)
    bench.settle()
    #expect(bench.recorder.values == [[1, 1, 1], [2]])
    #expect(bench.recorder.isFinished)
    #expect(bench.recorder.isSerial)
  }

  // MARK: Failure

  @Test(arguments: [true, false])
  func `A failure comes at once and drops what is held, asked for or not`(_ isAsked: Bool) {
    let bench = WeightBench(upTo: 9, demand: isAsked ? .unlimited : nil)
    bench.send(1, 2)
    if !isAsked { bench.send(11) }
    bench.source.send(completion: .failure(.oops))
    bench.settle()
    #expect(bench.recorder.values.isEmpty)
    #expect(bench.recorder.completions == [.failure(.oops)])
    #expect(bench.clock.pending.isEmpty)
    bench.recorder.request(.unlimited)
    bench.clock.advance(by: 5)
    #expect(bench.recorder.values.isEmpty)
  }

  @Test func `An array that was complete and asked for comes before the failure`() {
    let bench = WeightBench(demand: .unlimited)
    bench.send(1, 2, 3)
    bench.source.send(completion: .failure(.oops))
    bench.settle()
    #expect(bench.recorder.values == [[1, 2, 3]])
    #expect(bench.recorder.completions == [.failure(.oops)])
  }

  // MARK: Cancel

  @Test(arguments: 0..<6)
  func `A cancel at any point ends everything`(_ point: Int) {
    let bench = WeightBench(demand: point == 4 ? nil : .unlimited)
    let steps: [() -> Void] = [
      { bench.send(1) }, { bench.clock.advance(by: 0.5) }, { bench.send(1, 1) }, { bench.settle() }, { bench.send(11) },
    ]
    for step in steps.prefix(point) { step() }
    let delivered = bench.recorder.values
    bench.recorder.cancel()
    #expect(bench.source.calls.last == .cancelled)
    #expect(bench.source.subscription?.cancellations == 1)
    // A block that has been scheduled finds nothing to do; the timer has been cancelled.
    bench.settle()
    #expect(bench.clock.pending.isEmpty)
    bench.source.send(2)
    bench.source.send(completion: .finished)
    bench.recorder.request(.unlimited)
    bench.clock.advance(by: 5)
    #expect(bench.recorder.values == delivered)
    #expect(bench.recorder.completions.isEmpty)
    #expect(bench.source.subscription?.cancellations == 1)
  }

  @Test func `A cancel during a delivery is the last that happens`() {
    let bench = WeightBench(upTo: 1, demand: .unlimited)
    bench.recorder.onValue = { _ in
      bench.send(2)
      bench.recorder.cancel()
      return .max(1)
    }
    bench.send(1)
    bench.clock.advance(by: 5)
    #expect(bench.recorder.values == [[1]])
    #expect(bench.source.calls == [.requested(.max(1)), .cancelled])
    #expect(bench.recorder.complaints.isEmpty)
  }

  @Test func `A cancel by the closure that weighs a value drops the value`() {
    var graveyard = Graveyard()
    let clock = VirtualTimeScheduler()
    let recorder = Recorder<[Canary], Never>()
    let subject = PassthroughSubject<Canary, Never>()
    subject.collect(upTo: 3, weight: 9, within: 1, scheduler: clock) { _ in
      recorder.cancel()
      return 1
    }.subscribe(recorder)
    subject.send(graveyard.watch(Canary()))
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.pending.isEmpty)
  }

  // MARK: Memory

  @Test(arguments: ["finish", "finish unasked", "failure", "cancel", "cancel unasked"])
  func `Nothing stays in memory after the end`(_ end: String) {
    var graveyard = Graveyard()
    let clock = VirtualTimeScheduler()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, TestError>(), "upstream")
      let recorder = graveyard.watch(Recorder<Int, TestError>(demand: end.hasSuffix("unasked") ? nil : .unlimited))
      let canary = graveyard.watch(Canary(), "closure")
      subject.collect(upTo: 3, weight: 9, within: 1, scheduler: clock) { _ in
        withExtendedLifetime(canary) { 4 }
      }
      .map(\.count).subscribe(recorder)
      for number in 1...3 { subject.send(graveyard.watch(Canary(), "\(number)")) }
      if end.hasPrefix("finish") { subject.send(completion: .finished) }
      if end == "failure" { subject.send(completion: .failure(.oops)) }
      if end.hasPrefix("cancel") || end == "finish unasked" { recorder.cancel() }
      clock.advance()
      #expect(recorder.completions.count == (end == "finish" || end == "failure" ? 1 : 0))
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.pending.isEmpty)
  }

  @Test func `The timer keeps a pipeline that everything else has released, and only while it runs`() {
    var graveyard = Graveyard()
    let clock = VirtualTimeScheduler()
    let values = Locked<[[Int]]>([])
    do {
      let source = ManualPublisher<Int, Never>()
      let recorder = graveyard.watch(Recorder<[Int], Never>(), "downstream")
      recorder.onValue = { array in
        values.change { $0.append(array) }
        return .none
      }
      source.collect(upTo: 3, weight: 9, within: 1, scheduler: clock) { $0 }.subscribe(recorder)
      source.send(1)
      recorder.releaseSubscriptions()
      source.releaseSubscribers()
    }
    #expect(graveyard.survivors == ["downstream"])
    clock.advance(by: 1)
    #expect(values.value == [[1]])
    #expect(graveyard.survivors.isEmpty)
  }

  // MARK: Threads

  @Test(arguments: ["value", "completion", "subscription", "weight"])
  func `No lock is held while code of the user runs`(_ callback: String) {
    let clock = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<[Int], Never>(demand: .max(5))
    let calls: @Sendable () -> Void = {
      elsewhere {
        recorder.request(.max(1))
        recorder.cancel()
      }
    }
    recorder.onValue = { _ in
      if callback == "value" { calls() }
      return .none
    }
    if callback == "completion" { recorder.onCompletion = { _ in calls() } }
    if callback == "subscription" { recorder.onSubscription = { _ in calls() } }
    subject.collect(upTo: 2, weight: 9, within: 1, scheduler: clock) {
      if callback == "weight" { calls() }
      return $0
    }.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    clock.advance()
    #expect(recorder.values == (callback == "value" || callback == "completion" ? [[1, 2]] : []))
    #expect(recorder.completions.count == (callback == "completion" ? 1 : 0))
  }

  @Test func `Values, time and requests on three threads lose nothing and overtake nothing`() {
    for round in 0..<60 {
      let clock = VirtualTimeScheduler()
      let recorder = Recorder<[Int], Never>(demand: nil)
      (0..<400).publisher
        .collect(upTo: 5, weight: 12, within: .nanoseconds(round), scheduler: clock) { $0 % 7 }
        .subscribe(recorder)
      onThreads([
        { for _ in 0..<200 { clock.advance(by: .nanoseconds(3)) } },
        { for _ in 0..<200 { recorder.request(.max(1)) } },
        { for _ in 0..<200 { clock.advance(by: .nanoseconds(2)) } },
      ])
      recorder.request(.unlimited)
      clock.advance(by: 1)
      #expect(Array(recorder.values.joined()) == Array(0..<400))
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
      #expect(clock.pending.isEmpty)
    }
  }

  @Test func `A cancel beside values, time and requests leaves nothing`() {
    for round in 0..<60 {
      var graveyard = Graveyard()
      let clock = VirtualTimeScheduler()
      do {
        let subject = PassthroughSubject<Canary, Never>()
        let recorder = Recorder<[Canary], Never>(demand: .max(1))
        subject.collect(upTo: 3, weight: 9, within: .nanoseconds(round % 4), scheduler: clock) { _ in 2 }
          .map { _ in [] }
          .subscribe(recorder)
        let canaries = (0..<50).map { graveyard.watch(Canary(), "\($0)") }
        onThreads([
          { for canary in canaries { subject.send(canary) } },
          { for _ in 0..<50 { clock.advance(by: .nanoseconds(1)) } },
          { for _ in 0..<20 { recorder.request(.max(1)) } },
          {
            for _ in 0..<round { recorder.request(.max(1)) }
            recorder.cancel()
          },
        ])
        clock.advance(by: 1)
        #expect(!recorder.hasOverlapped)
      }
      #expect(graveyard.survivors.isEmpty)
      #expect(clock.pending.isEmpty)
    }
  }

  // MARK: Misuse

  @Test func `A count below one traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).collect(upTo: 0, weight: 1, within: 1, scheduler: VirtualTimeScheduler()) { $0 }
    }
    expectMessage(result, "collect(upTo:) takes a count of 1 or more, but was given 0. Clamp the value")
  }

  @Test func `A maximum weight below one traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).collect(upTo: 1, weight: 0, within: 1, scheduler: VirtualTimeScheduler()) { $0 }
    }
    expectMessage(result, "collect(upTo:weight:) takes a weight of 1 or more, but was given 0. Clamp the value")
  }

  @Test func `A negative weight traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cancellable = Just(-1).collect(upTo: 1, weight: 1, within: 1, scheduler: VirtualTimeScheduler()) { $0 }
        .sink { _ in }
      withExtendedLifetime(cancellable) {}
    }
    expectMessage(result, "collect(weightOf:) takes a weight of 0 or more, but was given -1. Clamp the value")
  }
}
