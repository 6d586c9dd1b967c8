// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct ThrottleReducingTests {
  private let clock = VirtualTimeScheduler()

  @Test func `The first value comes at once, and then what the values of each interval become`() {
    let subject = PassthroughSubject<Int, Never>()
    var log: [String] = []
    let cancellable = subject.throttle(for: 1, scheduler: clock, reducing: +).sink { log.append("\($0) \(clock.now)") }
    for value in [1, 20, 300, 4_000, 50_000] {
      subject.send(value)
      clock.advance(by: 0.4)
    }
    clock.advance(by: 5)
    #expect(log == ["1 0s", "320 1s", "54000 2s"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `What waits for demand is merged, and comes with the completion`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.throttle(for: 1, scheduler: clock, reducing: +).subscribe(recorder)
    for value in 1...4 {
      subject.send(value)
      clock.advance(by: 3)
    }
    subject.send(completion: .finished)
    clock.advance(by: 3)
    #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
    recorder.request(.max(1))
    clock.advance()
    #expect(recorder.values == [10] && recorder.isFinished)
  }

  @Test func `Values, an end and time that come while the closure runs`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    var isSending = false
    subject
      .throttle(
        for: 1, scheduler: clock,
        reducing: { [clock] old, new in
          if !isSending {
            isSending = true
            subject.send(1_000)
            subject.send(10_000)
            subject.send(completion: .finished)
            clock.advance(by: 5)
          }
          return old + new
        }
      )
      .subscribe(recorder)
    subject.send(1)
    clock.advance()
    subject.send(20)
    subject.send(300)
    clock.advance(by: 5)
    #expect(recorder.values.first == 1)
    #expect(recorder.values.reduce(0, +) == 11_321)
    #expect(recorder.isFinished)
  }

  @Test func `A cancel while the closure runs ends it, and frees what it returns`() {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "subject")
      let recorder = graveyard.watch(Recorder<Canary, Never>(demand: nil), "recorder")
      subject.throttle(for: 1, scheduler: clock) { _, _ in
        recorder.cancel()
        return Canary()
      }
      .subscribe(recorder)
      subject.send(graveyard.watch(Canary()))
      subject.send(graveyard.watch(Canary()))
      clock.advance(by: 5)
      recorder.request(.unlimited)
      recorder.releaseSubscriptions()
      #expect(recorder.values.isEmpty)
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.pending.isEmpty)
  }

  @Test func `No value is lost, whatever three threads do`() {
    for round in 0..<80 {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: nil)
      subject.throttle(for: .seconds(1 + round % 3), scheduler: clock, reducing: +).subscribe(recorder)
      onThreads([
        { for value in 1...300 { subject.send(value) } },
        { for _ in 0..<100 { recorder.request(.max(1)) } },
        { for _ in 0..<300 { clock.advance(by: 1) } },
      ])
      subject.send(completion: .finished)
      recorder.request(.max(1))
      clock.advance(by: 10)
      // In two steps, which the type checker takes in a hundredth of the time.
      let sum: Int = recorder.values.reduce(0, +)
      #expect(sum == 45_150)
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
    }
  }
}
