// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct DelayTests {
  @Test func `Each event looks at the clock, and is one call with the date, the tolerance and the options`() {
    let clock = testClock()
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    subject.delay(for: 3, tolerance: 0.5, scheduler: clock, options: "quick").subscribe(recorder)
    #expect(clock.takeCalls().isEmpty)
    subject.send(1)
    clock.base.advance(by: 1)
    subject.send(completion: .failure(.oops))
    #expect(
      clock.takeCalls() == [
        .now, .scheduleAfter(3, tolerance: 0.5, options: "quick"),
        .now, .scheduleAfter(4, tolerance: 0.5, options: "quick"),
      ])
    clock.base.advance(to: 3)
    #expect(recorder.events == [.subscription("Delay"), .value(1)])
    clock.base.advance(to: 4)
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `With no tolerance given, the scheduler's is read when the operator is applied`() {
    let clock = testClock(tolerance: 0.125)
    let delayed = Just(1).delay(for: 3, scheduler: clock)
    #expect(clock.takeCalls() == [.minimumTolerance])
    #expect(delayed.tolerance == 0.125)
    #expect(delayed.interval == 3)
    #expect(delayed.options == nil)
    #expect(delayed.scheduler === clock)
    #expect(delayed.upstream == Just(1))
    let recorder = Recorder<Int, Never>()
    delayed.subscribe(recorder)
    #expect(clock.takeCalls().contains(.scheduleAfter(3, tolerance: 0.125, options: nil)))
  }

  @Test func `Several values are on their way at once, and the time between them stays`() {
    let clock = testClock()
    let subject = PassthroughSubject<Int, Never>()
    var log: [String] = []
    let cancellable = subject.delay(for: 10, scheduler: clock).sink(
      receiveCompletion: { log.append("\($0) \(clock.base.now)") },
      receiveValue: { log.append("\($0) \(clock.base.now)") })
    for value in 1...3 {
      subject.send(value)
      clock.base.advance(by: .seconds(value))
    }
    subject.send(completion: .finished)
    clock.base.advance(by: 20)
    #expect(log == ["1 10s", "2 11s", "3 13s", "finished 16s"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A subscriber that has been dropped gets nothing, and the blocks that are left keep nothing afterwards`() {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let cancellable = subject.delay(for: 1, scheduler: scheduler).sink { _ in
        withExtendedLifetime(canary) { _ = Issue.record("a value") }
      }
      subject.send(1)
      cancellable.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
    scheduler.advance(by: 2)
  }
}
