// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct ThrottleTests {
  /// The outputs with their dates, for the table of Combine's behaviour.
  private func run(latest: Bool, ending: VirtualTime? = nil) -> [String] {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    var log: [String] = []
    let cancellable = subject.throttle(for: 0.5, scheduler: scheduler, latest: latest).sink(
      receiveCompletion: { log.append("\($0) \(scheduler.now)") },
      receiveValue: { log.append("\($0) \(scheduler.now)") })
    let inputs: [(VirtualTime, Int)] = [(0, -1), (0.1, 1), (0.2, 2), (0.6, 3), (0.7, 4), (0.9, 5), (1.2, 6)]
    for (date, value) in inputs {
      scheduler.schedule(after: date) { subject.send(value) }
    }
    if let ending { scheduler.schedule(after: ending) { subject.send(completion: .finished) } }
    scheduler.advance(to: 10)
    withExtendedLifetime(cancellable) {}
    return log
  }

  @Test func `Of each interval it delivers the latest value`() {
    #expect(run(latest: true) == ["-1 0s", "2 0.5s", "5 1s", "6 1.5s"])
  }

  @Test func `Of each interval it delivers the first value`() {
    #expect(run(latest: false) == ["-1 0s", "1 0.5s", "3 1s", "6 1.5s"])
  }

  @Test func `The completion comes together with the value that waits`() {
    #expect(run(latest: true, ending: 1.3) == ["-1 0s", "2 0.5s", "5 1s", "6 1.5s", "finished 1.5s"])
  }

  @Test func `The completion comes as soon as possible when nothing waits`() {
    #expect(run(latest: true, ending: 3) == ["-1 0s", "2 0.5s", "5 1s", "6 1.5s", "finished 3s"])
  }

  @Test func `The calls of the scheduler`() {
    let clock = testClock()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.throttle(for: 2, scheduler: clock, latest: true).subscribe(recorder)
    // When the operator is created, and when it subscribes.
    #expect(clock.takeCalls() == [.now, .now])
    subject.send(0)
    #expect(clock.takeCalls() == [.now])
    // The first value may be published at any time.
    recorder.request(.unlimited)
    #expect(clock.takeCalls() == [.schedule(options: nil)])
    subject.send(1)
    #expect(clock.takeCalls() == [.now])
    clock.base.advance(by: 1)
    #expect(clock.takeCalls() == [.now])
    subject.send(2)
    #expect(clock.takeCalls() == [.now, .minimumTolerance, .scheduleAfter(2, tolerance: 0.125, options: nil)])
    subject.send(3)
    #expect(clock.takeCalls() == [.now])
    clock.base.advance(by: 5)
    #expect(clock.takeCalls() == [.now])
    subject.send(completion: .finished)
    #expect(clock.takeCalls() == [.now, .schedule(options: nil)])
    clock.base.advance()
    #expect(recorder.values == [1, 3])
    #expect(recorder.isFinished)
  }

  @Test func `Its parts are what it was made of`() {
    let clock = testClock()
    let publisher = Just(1).throttle(for: 3, scheduler: clock, latest: false)
    #expect(publisher.upstream == Just(1))
    #expect(publisher.interval == 3)
    #expect(publisher.scheduler === clock)
    #expect(!publisher.latest)
  }

  @Test func `Upstream is asked for everything when the subscription has gone down`() {
    let (pipeline, _) = TimedCase.all.first { $0.name == "Throttle" }!.pipeline(subscribed: false, demand: nil)
    var received = -1
    pipeline.subscription.onRequest = { _ in received = pipeline.received.count }
    pipeline.subscribe()
    #expect(received == 1)
    #expect(pipeline.subscription.requests == [.unlimited])
  }

  @Test func `What upstream delivers on being asked comes through`() {
    let scheduler = VirtualTimeScheduler()
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>()
    subject.throttle(for: 1, scheduler: scheduler, latest: true).subscribe(recorder)
    scheduler.advance()
    #expect(recorder.values == [1])
  }

  @Test func `A stream that ends during the request is delivered, on any scheduler`() {
    let recorder = Recorder<Int, Never>()
    Just(1).throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true).subscribe(recorder)
    #expect(recorder.events == [.subscription("Throttle"), .value(1), .completion(.finished)])
  }

  @Test func `A subscriber that cancels on receipt of the subscription leaves upstream unasked`() {
    let source = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    source.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true).subscribe(recorder)
    #expect(source.calls == [.cancelled])
  }

  @Test func `A block that runs after a cancel does not look at the clock`() {
    let clock = testClock()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    subject.throttle(for: 2, scheduler: clock, latest: true).subscribe(recorder)
    subject.send(1)
    recorder.cancel()
    _ = clock.takeCalls()
    clock.base.advance(by: 5)
    #expect(clock.takeCalls() == [])
    #expect(recorder.values.isEmpty)
  }

  @Test func `On an immediate scheduler every value passes`() {
    let recorder = Recorder<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    subject.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true).subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func `What waits is replaced without further demand`() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(2))
    subject.throttle(for: 1, scheduler: scheduler, latest: true).subscribe(recorder)
    for value in 1...4 {
      subject.send(value)
      scheduler.advance(by: 0.25)
    }
    scheduler.advance(by: 5)
    subject.send(5)
    scheduler.advance(by: 5)
    #expect(recorder.values == [1, 4])
  }

  @Test(arguments: [false, true])
  func `The subscriber is released at the end`(_ cancels: Bool) {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    let source = ManualPublisher<Int, Never>()
    var subscription: (any Subscription)?
    do {
      let recorder = graveyard.watch(Recorder<Int, Never>(), "downstream")
      source.throttle(for: 1, scheduler: scheduler, latest: true).subscribe(recorder)
      subscription = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors == ["downstream"])
    if cancels { subscription?.cancel() } else { source.send(completion: .finished) }
    scheduler.advance()
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(subscription) {}
  }
}
