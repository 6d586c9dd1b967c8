// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct SubscribeOnTests {
  @Test func `Subscribing, each request and the cancel are one call of the scheduler each, with the options`() {
    let clock = testClock()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.subscribe(on: clock, options: "quick").subscribe(recorder)
    #expect(clock.takeCalls() == [.schedule(options: "quick")])
    #expect(recorder.events.isEmpty)
    clock.base.advance()
    #expect(recorder.events == [.subscription("SubscribeOn")])
    recorder.request(.max(2))
    recorder.request(.none)
    #expect(source.calls.isEmpty)
    clock.base.advance()
    #expect(source.calls == [.requested(.max(2)), .requested(.none)])
    #expect(clock.takeCalls() == [.schedule(options: "quick"), .schedule(options: "quick")])
    recorder.onValue = { _ in .max(3) }
    #expect(source.send(1) == .max(3))
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    #expect(source.calls.count == 2)
    #expect(source.send(2) == .none)
    source.send(completion: .finished)
    clock.base.advance()
    #expect(source.calls.last == .cancelled)
    #expect(source.calls.count == 3)
    #expect(recorder.events == [.subscription("SubscribeOn"), .value(1)])
    #expect(clock.takeCalls() == [.schedule(options: "quick")])
  }

  @Test func `Its parts are what it was made of`() {
    let clock = testClock()
    let publisher = Just(1).subscribe(on: clock, options: "quick")
    #expect(publisher.upstream == Just(1))
    #expect(publisher.scheduler === clock)
    #expect(publisher.options == "quick")
  }

  @Test func `A request that runs after a completion or a cancel asks for nothing`() {
    let clock = testClock()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.subscribe(on: clock).subscribe(recorder)
    clock.base.advance()
    recorder.request(.max(1))
    source.send(completion: .finished)
    clock.base.advance()
    recorder.cancel()
    #expect(source.calls.isEmpty)
    #expect(recorder.isFinished)
    #expect(clock.base.pending.isEmpty)
  }

  @Test func `A sink that is cancelled before the subscription has been made gets nothing, and upstream is cancelled`()
  {
    let scheduler = VirtualTimeScheduler()
    let source = ManualPublisher<Int, Never>()
    let cancellable = source.subscribe(on: scheduler).sink { _ in Issue.record("a value") }
    cancellable.cancel()
    scheduler.advance()
    #expect(source.calls == [.cancelled])
    source.send(1)
  }

  /// Combine's crashes there.
  @Test func `A request during a delivery works on an immediate scheduler`() {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      recorder.request(.max(1))
      return .none
    }
    Publishers.Sequence<[Int], Never>(sequence: [1, 2, 3]).subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.isFinished)
  }

  @Test func `A request that runs on another thread while the subscription is handed over waits for that`() {
    let scheduler = CrowdScheduler()
    let recorder = Recorder<Int, Never>(demand: .max(2))
    var during: [Int] = [-1]
    recorder.onSubscription = { [unowned recorder] subscription in
      subscription.request(.max(2))
      elsewhere { scheduler.runAll() }
      during = recorder.values
    }
    Publishers.Sequence<[Int], Never>(sequence: [1, 2, 3, 4, 5]).subscribe(on: scheduler).subscribe(recorder)
    scheduler.runAny()
    #expect(during.isEmpty)
    #expect(recorder.values == [1, 2])
    scheduler.runAll()
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func `Nothing is left when the stream is over`() {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    for cancels in [true, false] {
      let subject = PassthroughSubject<Int, Never>()
      let canary = graveyard.watch(Canary(), "closure")
      let cancellable = subject.subscribe(on: scheduler).sink { _ in withExtendedLifetime(canary) {} }
      scheduler.advance()
      subject.send(1)
      if cancels { cancellable.cancel() } else { subject.send(completion: .finished) }
      scheduler.advance()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(scheduler.pending.isEmpty)
  }
}
