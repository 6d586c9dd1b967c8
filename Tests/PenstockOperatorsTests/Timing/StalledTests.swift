// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct StalledTests {
  private func bench(demand: Subscribers.Demand?) -> RequestBench {
    RequestBench(demand: demand) { source, clock in source.stalled(after: 5, scheduler: clock) { .oops } }
  }

  @Test func `The time runs from the request that finds no demand, and not from the subscription`() {
    let bench = bench(demand: nil)
    bench.clock.advance(by: 60)
    #expect(bench.recorder.completions.isEmpty)
    #expect(bench.clock.pending.isEmpty)
    bench.recorder.request(.max(1))
    bench.clock.advance(by: 4.9)
    #expect(bench.recorder.completions.isEmpty)
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.completions == [.failure(.oops)])
    #expect(bench.source.calls == [.requested(.max(1)), .cancelled])
    #expect(bench.clock.pending.isEmpty)
  }

  @Test func `A further request does not start it again`() {
    let bench = bench(demand: .max(1))
    bench.clock.advance(by: 3)
    bench.recorder.request(.max(1))
    bench.clock.advance(by: 2)
    #expect(bench.recorder.completions == [.failure(.oops)])
  }

  @Test func `A value starts it again while others are owed, and stops it when none is`() {
    let bench = bench(demand: .max(2))
    bench.clock.advance(by: 4)
    bench.send(1)
    bench.clock.advance(by: 4)
    bench.send(2)
    bench.clock.advance(by: 0)
    #expect(bench.clock.pending.isEmpty)
    bench.clock.advance(by: 600)
    #expect(bench.recorder.values == [1, 2])
    #expect(bench.recorder.completions.isEmpty)
    bench.recorder.request(.max(1))
    bench.clock.advance(by: 5)
    #expect(bench.recorder.completions == [.failure(.oops)])
  }

  @Test func `With unlimited demand every silence counts, and one timer is set`() {
    let bench = bench(demand: .unlimited)
    for value in 1...20 {
      bench.clock.advance(by: 4)
      bench.send(value)
      #expect(bench.clock.pending.count <= 2)
    }
    bench.clock.advance(by: 4)
    #expect(bench.recorder.completions.isEmpty)
    bench.clock.advance(by: 1)
    #expect(bench.recorder.completions == [.failure(.oops)])
    #expect(bench.recorder.values.count == 20)
  }

  @Test(arguments: [true, false])
  func `Demand of a delivery starts it`(_ isReturned: Bool) {
    let bench = bench(demand: .max(1))
    bench.recorder.onValue = { _ in
      if isReturned { return .max(2) }
      bench.recorder.request(.max(2))
      return .none
    }
    bench.send(1)
    bench.clock.advance()
    #expect(bench.granted == .max(3))
    bench.clock.advance(by: 4.9)
    #expect(bench.recorder.completions.isEmpty)
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.completions == [.failure(.oops)])
  }

  @Test func `A request for nothing passes, and starts no time`() {
    let bench = bench(demand: nil)
    bench.recorder.request(.none)
    #expect(bench.source.calls == [.requested(.none)])
    #expect(bench.clock.pending.isEmpty)
  }

  @Test func `Without a closure it finishes`() {
    let clock = VirtualTimeScheduler()
    let recorder = Recorder<Int, TestError>()
    ManualPublisher<Int, TestError>().stalled(after: 5, scheduler: clock).subscribe(recorder)
    clock.advance(by: 5)
    #expect(recorder.completions == [.finished])
  }

  @Test func `Values that the scheduler has not delivered yet come before the end`() {
    let clock = VirtualTimeScheduler()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    // The timer and the deliveries run in the order in which they are due.
    source.stalled(after: 0, scheduler: clock) { .oops }.subscribe(recorder)
    _ = source.send(1)
    clock.advance(by: 1)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func `An earlier end stops the timer, and frees everything`(_ end: String) {
    var graveyard = Graveyard()
    let clock = VirtualTimeScheduler()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      subject.stalled(after: 5, scheduler: clock).subscribe(recorder)
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      default: recorder.cancel()
      }
      clock.advance()
      #expect(clock.pending.isEmpty)
      #expect(recorder.completions.count == (end == "cancel" ? 0 : 1))
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Every random course goes as one that is counted second by second`() {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bench = bench(demand: nil)
      var (owed, silent, isOver) = (0, 0, false)
      for step in 0..<60 where !isOver {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0 where owed > 0:
          bench.send(step)
          bench.clock.advance()
          (owed, silent) = (owed - 1, 0)
        case 1:
          let more = Int.random(in: 1...2, using: &generator)
          if owed == 0 { silent = 0 }
          bench.recorder.request(.max(more))
          owed += more
        default:
          bench.clock.advance(by: 1)
          if owed > 0 { silent += 1 }
          isOver = silent == 5
        }
        #expect(bench.recorder.completions.isEmpty != isOver, "seed \(seed), step \(step)")
        #expect(bench.clock.pending.isEmpty == (owed == 0 || isOver), "seed \(seed), step \(step)")
      }
    }
  }

  @Test func `Requests and values on two threads never leave it stopped while something is owed`() {
    for _ in 0..<200 {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demand: .max(1))
      subject.stalled(after: 5, scheduler: clock) { .oops }.subscribe(recorder)
      onThreads([{ subject.send(1) }, { recorder.request(.max(1)) }])
      clock.advance(by: 4)
      #expect(recorder.values == [1] && recorder.completions.isEmpty)
      clock.advance(by: 2)
      #expect(recorder.completions == [.failure(.oops)])
    }
  }
}
