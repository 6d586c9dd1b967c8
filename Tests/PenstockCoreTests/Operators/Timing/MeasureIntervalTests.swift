// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct MeasureIntervalTests {
  @Test func `It delivers the time since the value before, and first since the subscription`() {
    let clock = testClock()
    clock.base.advance(to: 100)
    let subject = PassthroughSubject<String, TestError>()
    let recorder = Recorder<VirtualTime.Stride, TestError>()
    var before: [TestClock.Call] = []
    recorder.onSubscription = { _ in before = clock.takeCalls() }
    subject.measureInterval(using: clock, options: "ignored").subscribe(recorder)
    #expect(before == [.now])
    #expect(clock.calls.isEmpty)
    for pause: VirtualTime.Stride in [2, 0, 0.5] {
      clock.base.advance(by: pause)
      subject.send("beat")
    }
    clock.base.advance(by: 9)
    subject.send(completion: .failure(.oops))
    #expect(recorder.values == [2, 0, 0.5])
    #expect(recorder.completions == [.failure(.oops)])
    // The operator reads the clock, and schedules nothing.
    #expect(clock.takeCalls() == [.now, .now, .now])
  }

  @Test func `Its parts are what it was made of`() {
    let clock = testClock()
    let publisher = Just(1).measureInterval(using: clock)
    #expect(publisher.upstream == Just(1))
    #expect(publisher.scheduler === clock)
  }
}
