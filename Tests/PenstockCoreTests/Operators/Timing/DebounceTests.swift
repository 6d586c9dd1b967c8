// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct DebounceTests {
  @Test func `One timer waits, and is set anew when it goes off and a value has come meanwhile`() {
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
    clock.base.advance(by: 1)
    subject.send(2)
    clock.base.advance(by: 1)
    subject.send(3)
    #expect(clock.takeCalls() == [.now, .now])
    // The clock is read once where the timer is set again: it may have been set back.
    clock.base.advance(to: 4.5)
    #expect(
      clock.takeCalls() == [
        .now, .minimumTolerance, .scheduleRepeating(5, interval: 3, tolerance: 0.125, options: "quick"), .cancel(0),
      ])
    #expect(recorder.values == [])
    clock.base.advance(to: 5)
    #expect(recorder.values == [3])
    clock.base.advance(to: 20)
    #expect(clock.takeCalls() == [.cancel(1)])
    #expect(recorder.values == [3])
    subject.send(completion: .finished)
    // Without options.
    #expect(clock.takeCalls() == [.schedule(options: nil)])
    clock.base.advance()
    #expect(recorder.isFinished)
  }

  @Test func `However many values come, there is about one timer for each due time`() {
    let clock = testClock()
    let subject = PassthroughSubject<Int, Never>()
    var dates: [String] = []
    let cancellable = subject.debounce(for: 1, scheduler: clock).sink { dates.append("\($0) at \(clock.base.now)") }
    for value in 1...3_000 {
      subject.send(value)
      clock.base.advance(by: 0.01)
    }
    clock.base.advance(by: 10)
    #expect(dates == ["3000 at 30.99s"])
    let timers = clock.calls.filter { if case .scheduleRepeating = $0 { true } else { false } }
    #expect(timers.count == 32)
    // Once for each value, and once for each timer that is set again.
    #expect(clock.calls.filter { $0 == .now }.count == 3_000 + 31)
    #expect(clock.base.pending.isEmpty)
    cancellable.cancel()
  }

  @Test func `A value that comes when the next timer waits moves that one, too`() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    var dates: [String] = []
    let cancellable = subject.debounce(for: 3, scheduler: scheduler).sink { dates.append("\($0) at \(scheduler.now)") }
    for (value, date) in [VirtualTime(0), 2, 4, 6, 9.5, 9.5, 12].enumerated() {
      scheduler.advance(to: date)
      subject.send(value)
      #expect(scheduler.pending.count == 1)
    }
    scheduler.advance(by: 20)
    #expect(dates == ["3 at 9s", "6 at 15s"])
    #expect(scheduler.pending.isEmpty)
    cancellable.cancel()
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

  @Test func `A timer that goes off early waits once more if a value has come meanwhile`() {
    let scheduler = CrowdScheduler()
    let recorder = Recorder<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    subject.debounce(for: 1, scheduler: scheduler).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(scheduler.timers == 1)
    scheduler.tick()
    #expect(recorder.values == [])
    #expect(scheduler.timers == 1)
    scheduler.tick()
    #expect(recorder.values == [2])
    #expect(scheduler.timers == 0)
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1)])
  func `Demand is counted when the last value is due, not when its timer is set anew`(_ demand: Subscribers.Demand) {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.debounce(for: 3, scheduler: scheduler).subscribe(recorder)
    subject.send(1)
    scheduler.advance(by: 2)
    subject.send(2)
    scheduler.advance(by: 2)
    recorder.request(demand)
    scheduler.advance(by: 10)
    #expect(recorder.values == (demand == .none ? [] : [2]))
    subject.send(3)
    scheduler.advance(by: 10)
    #expect(recorder.values == (demand == .none ? [] : [2]))
    #expect(scheduler.pending.isEmpty)
  }

  enum End: CaseIterable { case finish, cancel, cancelInDelivery }

  @Test(arguments: End.allCases, [VirtualTime(1), 2.5, 3.5, 5])
  func `An end leaves nothing behind, before and after the timer has been set anew`(_ end: End, _ date: VirtualTime) {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Canary, Never>()
    let recorder = Recorder<Canary, Never>()
    subject.debounce(for: 3, scheduler: scheduler).subscribe(recorder)
    var received = 0
    recorder.onValue = { [unowned recorder] _ in
      received += 1
      if end == .cancelInDelivery { recorder.cancel() }
      return .none
    }
    subject.send(graveyard.watch(Canary(), "first"))
    scheduler.advance(to: min(date, 2))
    if date > 2 { subject.send(graveyard.watch(Canary(), "second")) }
    scheduler.advance(to: date)
    switch end {
    case .finish:
      subject.send(completion: .finished)
      scheduler.advance()
    case .cancel: recorder.cancel()
    case .cancelInDelivery: scheduler.advance(by: 5)
    }
    #expect(scheduler.pending.isEmpty)
    #expect(received == (date == 5 || end == .cancelInDelivery ? 1 : 0))
    #expect(recorder.isFinished == (end == .finish))
    // The received values belong to the recorder.
    #expect(graveyard.survivors.count == received)
    scheduler.advance(by: 20)
    #expect(recorder.values.count == received)
  }

  @Test func `Values on one thread while the time moves on another`() {
    for _ in 0..<30 {
      let scheduler = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.debounce(for: 1, scheduler: scheduler).subscribe(recorder)
      onThreads([
        { for value in 1...300 { subject.send(value) } },
        { for _ in 1...300 { scheduler.advance(by: 0.3) } },
      ])
      scheduler.advance(by: 10)
      #expect(recorder.isSerial)
      #expect(recorder.values.last == 300)
      #expect(recorder.values == Array(Set(recorder.values)).sorted())
      #expect(scheduler.pending.isEmpty)
    }
  }
}
