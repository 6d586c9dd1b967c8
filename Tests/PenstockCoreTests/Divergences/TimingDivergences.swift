// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Deliberate differences between the timed operators and Combine's.
@Suite struct TimingDivergences {
  /// Combine delivers it, since the operator is no longer subscribed at the time of the cancel.
  @Test(arguments: ["ReceiveOn", "Delay", "Debounce", "Throttle", "Timeout"])
  func `A cancel drops a completion that has been scheduled`(_ name: String) {
    let (pipeline, clock) = TimedCase.all.first { $0.name == name }!.pipeline()
    pipeline.finish()
    pipeline.cancel()
    clock.base.advance(by: 10)
    #expect(pipeline.ends.isEmpty)
  }

  /// Combine schedules the emission for an interval after the last one, which is a date that comes an hour later.
  @Test(arguments: [true, false])
  func `A throttle begins again when the clock has been set back`(_ latest: Bool) {
    let clock = SettableClock()
    let (source, recorder) = (PassthroughSubject<Int, Never>(), Recorder<Int, Never>())
    source.throttle(for: 10, scheduler: clock, latest: latest).subscribe(recorder)
    source.send(1)
    clock.base.advance(by: 1)
    #expect(recorder.values == [1])
    clock.offset = -3_600
    source.send(2)
    clock.base.advance(by: 1)
    #expect(recorder.values == [1, 2])
    // From now on, time counts by the clock as it has been set.
    source.send(3)
    clock.base.advance(by: 8)
    #expect(recorder.values == [1, 2])
    clock.base.advance(by: 2)
    #expect(recorder.values == [1, 2, 3])
    recorder.cancel()
  }

  /// A scheduler whose time may be set, while waiting work is counted from the time when it was scheduled.
  private final class SettableClock: Scheduler {
    typealias SchedulerTimeType = VirtualTime
    typealias SchedulerOptions = Never

    let base = VirtualTimeScheduler(now: 10_000)
    var offset: VirtualTime.Stride = 0

    var now: VirtualTime { base.now.advanced(by: offset) }
    var minimumTolerance: VirtualTime.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(action) }

    func schedule(
      after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
    ) { base.schedule(after: base.now.advanced(by: now.distance(to: date)), action) }

    func schedule(
      after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
      _ action: @escaping () -> Void
    ) -> any Cancellable {
      base.schedule(after: base.now.advanced(by: now.distance(to: date)), interval: interval, action)
    }
  }

  /// Each of Combine's blocks delivers its own event, in whatever order the scheduler runs them.
  @Test func `A scheduled block delivers what is first in line`() {
    let scheduler = CrowdScheduler()
    let recorder = Recorder<Int, Never>()
    Publishers.Sequence<[Int], Never>(sequence: [1, 2]).receive(on: scheduler).subscribe(recorder)
    var counts: [Int] = []
    while scheduler.runLast() { counts.append(recorder.values.count) }
    #expect(recorder.values == [1, 2])
    #expect(counts == [1, 2, 2])
    #expect(recorder.isFinished)
  }

  /// Combine's block waits, which would hold up a thread; delivering on the introducing thread instead would use the
  /// wrong one.
  @Test func `A block that runs while the subscription is handed over is scheduled once more`() {
    let scheduler = CrowdScheduler()
    let source = ManualPublisher<Int, Never>()
    source.subscription?.onRequest = { _ in
      source.send(1)
      elsewhere { scheduler.runAny() }
    }
    source.receive(on: scheduler).subscribe(Recorder<Int, Never>())
    #expect(scheduler.calls == 2)

    // Later values are scheduled after it, one block for each, and none is delivered elsewhere than in a block.
    let (later, clock, recorder) = (ManualPublisher<Int, Never>(), CrowdScheduler(), Recorder<Int, Never>())
    later.subscription?.onRequest = { _ in
      later.send(1)
      elsewhere { clock.runAny() }
      for value in 2...4 { later.send(value) }
    }
    later.receive(on: clock).subscribe(recorder)
    #expect(recorder.values.isEmpty)
    var counts: [Int] = []
    while clock.runAny() { counts.append(recorder.values.count) }
    #expect(counts == [1, 2, 3, 4])
    #expect(recorder.values == [1, 2, 3, 4])
  }

  /// Combine's crashes, since its timer fires while it is being set up.
  @Test func `A timeout on a scheduler that runs at once ends after it has begun`() {
    let timed = Recorder<Int, Never>()
    Empty<Int, Never>(completeImmediately: false).timeout(1, scheduler: ImmediateScheduler.shared).subscribe(timed)
    #expect(timed.events == [.subscription("Timeout"), .completion(.finished)])
  }

  /// Combine's set a timer for each value, and cancel the previous one: an allocation and a call of the scheduler each.
  @Test(arguments: ["Debounce", "Timeout"])
  func `A value of debounce and timeout sets no timer while one waits`(_ name: String) {
    let clock = testClock()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    switch name {
    case "Debounce": subject.debounce(for: 3, scheduler: clock).subscribe(recorder)
    default: subject.timeout(3, scheduler: clock).subscribe(recorder)
    }
    for value in 1...3 { subject.send(value) }
    let timers = { clock.calls.filter { if case .scheduleRepeating = $0 { true } else { false } }.count }
    #expect(timers() == 1)

    // It goes off, and is set again for the value that has come meanwhile.
    clock.base.advance(by: 1)
    subject.send(4)
    clock.base.advance(by: 2)
    #expect(timers() == 2)
    let isDebounce = name == "Debounce"
    #expect(recorder.values == (isDebounce ? [] : [1, 2, 3, 4]) && recorder.completions.isEmpty)
    clock.base.advance(by: 1)
    #expect(recorder.values == (isDebounce ? [4] : [1, 2, 3, 4]))
    #expect(recorder.isFinished == !isDebounce)
    recorder.cancel()
  }

  /// Combine's sets the value's timer when the value comes, before anything that is scheduled later for that time.
  @Test func `A value that comes at the very time the one before is due takes its place`() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    subject.debounce(for: 3, scheduler: scheduler).subscribe(recorder)
    subject.send(1)
    scheduler.advance(to: 2)
    subject.send(2)
    scheduler.schedule(after: 5) { subject.send(3) }
    scheduler.advance(to: 20)
    #expect(recorder.values == [3])
  }

  /// Combine's block requests from upstream all the same, and cancels it afterwards.
  @Test func `A cancel drops a request that has been scheduled`() {
    let scheduler = VirtualTimeScheduler()
    let source = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    source.subscribe(on: scheduler).subscribe(recorder)
    scheduler.advance()
    recorder.request(.max(1))
    recorder.cancel()
    scheduler.advance()
    #expect(source.calls == [.cancelled])
  }

  /// Combine's operator still has the subscription then, and cancels it.
  @Test func `A cancel behind upstream's end does not reach upstream`() {
    let scheduler = VirtualTimeScheduler()
    let source = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.timeout(5, scheduler: scheduler).subscribe(recorder)
    source.send(completion: .finished)
    recorder.cancel()
    scheduler.advance(by: 10)
    #expect(source.calls == [.requested(.unlimited)])
  }

  /// Combine's operators keep the subscription until their last value has been delivered.
  @Test(arguments: ["ReceiveOn", "Delay"])
  func `Nothing is asked of an upstream that has ended`(_ name: String) {
    let (pipeline, clock) = TimedCase.all.first { $0.name == name }!.pipeline(demand: .max(1))
    pipeline.onValue = { .max(7) }
    pipeline.send(2)
    pipeline.finish()
    pipeline.request(.max(3))
    clock.base.advance(by: 10)
    #expect(pipeline.values == ["2"])
    #expect(pipeline.subscription.requests == [.max(1)])
  }

  /// Combine's stops the process, because its operator is in the middle of a request.
  @Test func `A request from inside of a request of subscribe on a scheduler that runs at once is served`() {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { _ in
      recorder.request(.max(1))
      return .none
    }
    Publishers.Sequence<Range<Int>, Never>(sequence: 0..<5).subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(recorder.isFinished)
  }

  /// Combine emits at every tick, and so delivers up to `count` arrays for a demand of one; and it ignores the demand
  /// that such a delivery returns.
  @Test func `A tick of collect by time or count waits for demand, and counts what its delivery returns`() {
    let scheduler = VirtualTimeScheduler()
    let source = ManualPublisher<Int, Never>()
    let recorder = Recorder<[Int], Never>(demand: .max(1))
    source.collect(.byTimeOrCount(scheduler, 1, 10)).subscribe(recorder)
    for value in 1...2 {
      source.send(value)
      scheduler.advance(by: 1)
    }
    #expect(recorder.values == [[1]])
    recorder.onValue = { $0 == [2] ? .max(1) : .none }
    recorder.request(.max(1))
    scheduler.advance(by: 1)
    #expect(recorder.values == [[1], [2]])
    #expect(source.subscription?.requests == [.max(10), .max(10), .max(10)])
  }

  /// Combine's shows the name of its type, which is private.
  @Test func `A delay shows its name`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    Just(1).delay(for: 1, scheduler: VirtualTimeScheduler()).subscribe(recorder)
    #expect(recorder.subscriptionTexts == ["Delay"])
  }

  /// Combine's keeps it until upstream releases the operator, and, if a value waits, until the value's block has run.
  @Test(arguments: ["finish", "fail", "cancel", "cancel while a value waits"])
  func `A delay lets its subscriber go at an end and at a cancel`(_ end: String) {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    let source = ManualPublisher<Int, TestError>()
    var subscription: (any Subscription)?
    do {
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      source.delay(for: 1, scheduler: scheduler).subscribe(recorder)
      subscription = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
    }
    if end == "cancel while a value waits" { source.send(1) }
    switch end {
    case "finish": source.send(completion: .finished)
    case "fail": source.send(completion: .failure(.oops))
    default: subscription?.cancel()
    }
    if !end.hasPrefix("cancel") { scheduler.advance(by: 1) }
    #expect(graveyard.survivors.isEmpty)
    #expect(scheduler.pending.isEmpty == (end != "cancel while a value waits"))
    withExtendedLifetime((subscription, source)) {}
  }

  /// Combine's reads it for every signal.
  @Test func `Throttle does not read the clock for a signal that comes after the end`() {
    let clock = testClock()
    let source = ManualPublisher<Int, Never>()
    source.throttle(for: 2, scheduler: clock, latest: true).subscribe(Recorder<Int, Never>())
    source.send(completion: .finished)
    clock.base.advance(by: 1)
    _ = clock.takeCalls()
    source.send(1)
    source.send(completion: .finished)
    #expect(clock.takeCalls() == [])
  }
}
