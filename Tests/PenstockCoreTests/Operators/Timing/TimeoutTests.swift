// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct TimeoutTests {
  private func timer(_ date: VirtualTime) -> TestClock.Call {
    .scheduleRepeating(date, interval: 5, tolerance: 0.125, options: "quick")
  }

  @Test func `The clock starts with the subscription, and anew with the first request and every value`() {
    let clock = testClock()
    let subject = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    var before: [TestClock.Call] = []
    recorder.onSubscription = { _ in before = clock.takeCalls() }
    subject.timeout(5, scheduler: clock, options: "quick").subscribe(recorder)
    #expect(before == [.now, .minimumTolerance, timer(5)])
    clock.base.advance(by: 1)
    recorder.request(.none)
    // The timer is set again when it goes off.
    #expect(clock.takeCalls() == [.now])
    recorder.request(.unlimited)
    #expect(clock.takeCalls().isEmpty)
    clock.base.advance(by: 1)
    subject.send(1)
    #expect(clock.takeCalls() == [.now, .schedule(options: "quick")])
    clock.base.advance()
    #expect(recorder.values == [1])
    clock.base.advance(to: 6)
    // The clock may have been set back.
    #expect(clock.takeCalls() == [.now, .minimumTolerance, timer(7), .cancel(0)])
    subject.send(completion: .failure(.oops))
    #expect(clock.takeCalls() == [.cancel(1), .schedule(options: "quick")])
    clock.base.advance(by: 10)
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `Its parts are what it was made of`() {
    let clock = testClock()
    let publisher = Fail<Int, TestError>(error: .oops).timeout(
      3, scheduler: clock, options: "quick", customError: { TestError("late") })
    #expect(publisher.interval == 3)
    #expect(publisher.scheduler === clock)
    #expect(publisher.options == "quick")
    #expect(publisher.customError?() == TestError("late"))
    #expect(publisher.upstream.error == .oops)
    #expect(Just(1).timeout(3, scheduler: clock).customError == nil)
  }

  @Test(arguments: [nil, TestError("late")])
  func `When the time is up upstream is cancelled, and then the stream ends`(_ error: TestError?) {
    let scheduler = VirtualTimeScheduler()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    var cancelled = -1
    var asked = 0
    recorder.onCompletion = { _ in cancelled = source.subscription!.cancellations }
    source.timeout(
      5, scheduler: scheduler,
      customError: error.map { error in
        {
          asked += 1
          #expect(source.subscription?.cancellations == 1)
          return error
        }
      }
    ).subscribe(recorder)
    source.send(1)
    scheduler.advance(by: 4)
    #expect(recorder.completions.isEmpty)
    scheduler.advance(by: 1)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [error.map { .failure($0) } ?? .finished])
    #expect(cancelled == 1)
    scheduler.advance(by: 20)
    source.send(2)
    source.send(completion: .finished)
    recorder.cancel()
    scheduler.advance(by: 20)
    #expect(recorder.values == [1])
    #expect(recorder.completions.count == 1)
    #expect(source.subscription?.cancellations == 1)
    #expect(asked == (error == nil ? 0 : 1))
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `Values that were scheduled and not delivered when the time is up are dropped`() {
    let scheduler = CrowdScheduler()
    let source = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.timeout(5, scheduler: scheduler).subscribe(recorder)
    for value in 1...3 { source.send(value) }
    recorder.onValue = { _ in
      // The timer fires in between: the owner has moved the other values out of the shared queue already. It was set at
      // the subscription, and waits once more, for the last value's time.
      scheduler.tick()
      scheduler.tick()
      return .none
    }
    scheduler.runAny()
    scheduler.runAll()
    #expect(recorder.events == [.subscription("Timeout"), .value(1), .completion(.finished)])
  }

  /// Combine's crashes there.
  @Test func `On an immediate scheduler the time is up at once`() {
    let source = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.timeout(5, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    #expect(recorder.events == [.subscription("Timeout"), .completion(.finished)])
    #expect(source.calls == [.cancelled])
  }

  @Test func `A value sent in the error closure is too late`() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    subject.timeout(
      1, scheduler: scheduler,
      customError: {
        subject.send(1)
        return .oops
      }
    ).subscribe(recorder)
    scheduler.advance(by: 5)
    #expect(recorder.events == [.subscription("Timeout"), .completion(.failure(.oops))])
  }

  @Test(arguments: [nil, TestError("late")])
  func `However many values come, there is about one timer for each interval`(_ error: TestError?) {
    let clock = testClock()
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    subject.timeout(5, scheduler: clock, options: "quick", customError: error.map { error in { error } })
      .subscribe(recorder)
    for value in 1...3_000 {
      subject.send(value)
      clock.base.advance(by: 0.1)
    }
    #expect(clock.base.now == 300)
    // The last value came at 299.9.
    clock.base.advance(to: 304.8)
    #expect(recorder.completions.isEmpty)
    clock.base.advance(to: 304.9)
    #expect(recorder.completions == [error.map { .failure($0) } ?? .finished])
    #expect(recorder.values.count == 3_000)
    #expect(clock.base.pending.isEmpty)
    let timers = clock.calls.filter { if case .scheduleRepeating = $0 { true } else { false } }
    #expect(timers.count == 63)
  }

  enum End: CaseIterable { case finish, cancel, late }

  @Test(arguments: End.allCases, [VirtualTime(1), 4, 6])
  func `An end leaves nothing behind, before and after the timer has been set anew`(_ end: End, _ date: VirtualTime) {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, TestError>()
    var ends = 0
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let cancellable = subject.timeout(5, scheduler: scheduler).sink(
        receiveCompletion: { _ in
          withExtendedLifetime(canary) {}
          ends += 1
        }, receiveValue: { _ in })
      scheduler.advance(to: min(date, 3))
      if date > 3 { subject.send(1) }
      scheduler.advance(to: date)
      switch end {
      case .finish: subject.send(completion: .failure(.oops))
      case .cancel: cancellable.cancel()
      case .late: scheduler.advance(by: 10)
      }
      scheduler.advance()
    }
    #expect(ends == (end == .cancel ? 0 : 1))
    #expect(scheduler.pending.isEmpty)
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Values on one thread while the time moves on another`() {
    for _ in 0..<30 {
      let scheduler = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.timeout(1, scheduler: scheduler).subscribe(recorder)
      onThreads([
        { for value in 1...300 { subject.send(value) } },
        { for _ in 1...300 { scheduler.advance(by: 0.3) } },
      ])
      scheduler.advance(by: 10)
      #expect(recorder.isSerial)
      #expect(recorder.isFinished)
      #expect(recorder.values == Array(1..<(recorder.values.count + 1)))
      #expect(scheduler.pending.isEmpty)
    }
  }
}
