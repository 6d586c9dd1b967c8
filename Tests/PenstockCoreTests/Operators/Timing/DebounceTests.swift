// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct DebounceTests {
  @Test func `Each value sets a timer that repeats, and the one before is cancelled behind that`() {
    let clock = testClock()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    subject.debounce(for: 3, scheduler: clock, options: "quick").subscribe(recorder)
    #expect(clock.takeCalls().isEmpty)
    subject.send(1)
    #expect(
      clock.takeCalls() == [
        .now, .minimumTolerance, .scheduleRepeating(3, interval: 3, tolerance: 0.125, options: "quick"),
      ])
    clock.base.advance(by: 2)
    subject.send(2)
    #expect(
      clock.takeCalls() == [
        .now, .minimumTolerance, .scheduleRepeating(5, interval: 3, tolerance: 0.125, options: "quick"), .cancel(0),
      ])
    clock.base.advance(to: 20)
    #expect(clock.takeCalls() == [.cancel(1)])
    #expect(recorder.values == [2])
    subject.send(completion: .finished)
    // Without options.
    #expect(clock.takeCalls() == [.schedule(options: nil)])
    clock.base.advance()
    #expect(recorder.isFinished)
  }

  @Test func `Its parts are what it was made of`() {
    let clock = testClock()
    let publisher = Just(1).debounce(for: 3, scheduler: clock, options: "quick")
    #expect(publisher.upstream == Just(1))
    #expect(publisher.dueTime == 3)
    #expect(publisher.scheduler === clock)
    #expect(publisher.options == "quick")
  }

  @Test func `The subscription goes down before upstream is asked for everything`() {
    let (pipeline, _) = TimedCase.all.first { $0.name == "Debounce" }!.pipeline(subscribed: false, demand: nil)
    var received = -1
    pipeline.subscription.onRequest = { _ in received = pipeline.received.count }
    pipeline.subscribe()
    #expect(received == 1)
  }

  @Test func `A value without demand when it is due is dropped, not kept`() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.debounce(for: 1, scheduler: scheduler).subscribe(recorder)
    subject.send(1)
    scheduler.advance(by: 1)
    recorder.request(.max(1))
    scheduler.advance(by: 10)
    #expect(recorder.values.isEmpty)
    subject.send(2)
    scheduler.advance(by: 1)
    #expect(recorder.values == [2])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A value that is not due at the end is lost`(_ completion: Subscribers.Completion<TestError>) {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<Int, TestError>()
    Record(output: [1], completion: completion).debounce(for: 1, scheduler: scheduler).subscribe(recorder)
    scheduler.advance(by: 10)
    #expect(recorder.values.isEmpty)
    #expect(recorder.completions == [completion])
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `On an immediate scheduler every value passes`() {
    let recorder = Recorder<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    subject.debounce(for: 1, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.isFinished)
  }

  @Test func `The mirror shows what waits and what is asked for`() {
    let (pipeline, clock) = TimedCase.all.first { $0.name == "Debounce" }!.pipeline(demand: .max(2))
    pipeline.send(7)
    var children = Array(Mirror(reflecting: pipeline.received[0]).children)
    #expect(children[0].value as AnyObject === pipeline.downstream)
    #expect("\(children[1].value)" == "\(Subscribers.Demand.max(2))")
    #expect(children[2].value as? Int == 7)
    clock.base.advance(by: 10)
    children = Array(Mirror(reflecting: pipeline.received[0]).children)
    #expect("\(children[1].value)" == "\(Subscribers.Demand.max(1))")
    #expect(children[2].value as? Int == nil)
  }

  @Test func `A timer that fires although it has been replaced delivers nothing`() {
    let scheduler = CrowdScheduler()
    let recorder = Recorder<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    subject.debounce(for: 1, scheduler: scheduler).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(scheduler.timers == 1)
    scheduler.tick()
    scheduler.tick()
    #expect(recorder.values == [2])
    #expect(scheduler.timers == 0)
  }
}
