// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// The way `throttle` treats values that have not been requested.
@Suite struct ThrottleDemandTests {
  /// A throttle by ten seconds upstream of a recorder, whose values are logged with their dates.
  private final class Line<Value> {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Value, TestError>()
    let recorder: Recorder<Value, TestError>
    private(set) var log: [String] = []

    init(latest: Bool, demand: Subscribers.Demand? = nil, answering answer: Subscribers.Demand = .none) {
      recorder = Recorder(demand: demand)
      recorder.onValue = { [unowned self] in
        log.append("\($0) at \(scheduler.now)")
        return answer
      }
      recorder.onCompletion = { [unowned self] in log.append("\($0) at \(scheduler.now)") }
      subject.throttle(for: 10, scheduler: scheduler, latest: latest).subscribe(recorder)
    }

    func run(_ steps: [(date: VirtualTime, step: (Line) -> Void)]) -> [String] {
      for (date, step) in steps { scheduler.schedule(after: date) { step(self) } }
      scheduler.advance(to: 100)
      return log
    }
  }

  private func value<Value>(_ value: Value) -> (Line<Value>) -> Void { { $0.subject.send(value) } }
  private func request<Value>(_ demand: Subscribers.Demand) -> (Line<Value>) -> Void { { $0.recorder.request(demand) } }

  @Test(arguments: [true, false])
  func `A value without demand waits for it`(_ latest: Bool) {
    let line = Line<Int>(latest: latest)
    #expect(line.run([(1, value(1))]) == [])
    line.recorder.request(.max(1))
    line.scheduler.advance()
    #expect(line.log == ["1 at 100s"])
  }

  @Test func `The latest value waits, and is published when it is requested`() {
    let log = Line<Int>(latest: true).run([(1, value(1)), (2, value(2)), (15, value(3)), (16, request(.max(1)))])
    #expect(log == ["3 at 16s"])
  }

  @Test func `The first value of an interval waits, and is published at the end of that interval`() {
    let log = Line<Int>(latest: false).run([(1, value(1)), (2, value(2)), (3, request(.max(1)))])
    #expect(log == ["1 at 11s"])
  }

  @Test func `The first value of an interval is published when it is requested after the end of that interval`() {
    let log = Line<Int>(latest: false).run([(1, value(1)), (2, value(2)), (12, request(.max(1)))])
    #expect(log == ["1 at 12s"])
  }

  @Test func `A value after the end of the interval of the one that waits takes its place, and begins its own`() {
    let log = Line<Int>(latest: false).run([
      (1, value(1)), (11, value(2)), (20, value(3)), (20.5, request(.max(1))),
    ])
    #expect(log == ["2 at 21s"])
  }

  @Test(arguments: [true, false])
  func `A value that waits is published no sooner than an interval after the one before`(_ latest: Bool) {
    let log = Line<Int>(latest: latest, demand: .max(1)).run([
      (1, value(1)), (2, value(2)), (3, value(3)), (4, request(.max(1))),
    ])
    #expect(log == ["1 at 1s", latest ? "3 at 11s" : "2 at 11s"])
  }

  @Test(arguments: [true, false])
  func `A value that has waited begins an interval when it is published`(_ latest: Bool) {
    let log = Line<Int>(latest: latest).run([
      (1, value(1)), (20, request(.max(1))), (21, value(2)), (22, request(.max(1))), (35, request(.max(1))),
      (36, value(3)),
    ])
    #expect(log == ["1 at 20s", "2 at 30s", "3 at 40s"])
  }

  @Test(arguments: [true, false])
  func `A value that arrives after the request takes the place of the one that waits, if the latest is wanted`(
    _ latest: Bool
  ) {
    let log = Line<Int>(latest: latest, demand: .max(1)).run([
      (1, value(1)), (2, value(2)), (3, request(.max(1))), (4, value(3)),
    ])
    #expect(log == ["1 at 1s", latest ? "3 at 11s" : "2 at 11s"])
  }

  @Test(arguments: [true, false])
  func `A request for nothing schedules the value that waits, and does not use it up`(_ latest: Bool) {
    let line = Line<Int>(latest: latest)
    line.subject.send(1)
    #expect(line.scheduler.pending.isEmpty)
    line.recorder.request(.none)
    #expect(line.scheduler.pending.count == 1)
    line.scheduler.advance(by: 20)
    #expect(line.log == [])
    line.recorder.request(.none)
    line.recorder.request(.none)
    #expect(line.scheduler.pending.count == 1)
    line.recorder.request(.max(1))
    line.scheduler.advance()
    #expect(line.log == ["1 at 20s"])
  }

  @Test(arguments: [true, false])
  func `Demand that a delivery returns schedules what has arrived meanwhile, after the delivery`(_ latest: Bool) {
    let line = Line<Int>(latest: latest, demand: .max(1))
    line.recorder.onValue = { value in
      if value == 1 { line.subject.send(2) }
      #expect(line.scheduler.pending.isEmpty)
      return .max(1)
    }
    line.subject.send(1)
    line.scheduler.advance()
    #expect(line.recorder.values == [1])
    #expect(line.scheduler.pending.count == 1)
    line.scheduler.advance(by: 9)
    #expect(line.recorder.values == [1])
    line.scheduler.advance(by: 1)
    #expect(line.recorder.values == [1, 2])
  }

  /// The scheduler runs at once, so the next value is delivered while the thread is leaving the delivery of the
  /// previous one.
  @Test func `Demand that a delivery returns does not nest deliveries`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    var depth = 0
    recorder.onValue = { value in
      depth += 1
      #expect(depth == 1)
      if value < 50 { subject.send(value + 1) }
      depth -= 1
      return .max(1)
    }
    subject.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true).subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == Array(1...50))
  }

  @Test(arguments: [true, false])
  func `An optional without a value is a value`(_ latest: Bool) {
    let line = Line<Int?>(latest: latest)
    line.subject.send(nil)
    line.recorder.request(.max(1))
    line.scheduler.advance(by: 20)
    line.subject.send(latest ? 1 : nil)
    line.subject.send(latest ? nil : 1)
    line.recorder.request(.max(1))
    line.scheduler.advance(by: 20)
    #expect(line.recorder.values == [nil, nil])
  }

  @Test(arguments: [true, false], [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The end needs no demand, and a value that nobody has asked for goes with it`(
    _ latest: Bool, _ completion: Subscribers.Completion<TestError>
  ) {
    for steps: [(date: VirtualTime, step: (Line<Int>) -> Void)] in [
      [(1, value(1))], [(1, value(1)), (2, value(2))], [(1, value(1)), (2, request(.none))],
    ] {
      let line = Line<Int>(latest: latest)
      let end: (Line<Int>) -> Void = { $0.subject.send(completion: completion) }
      let late = request(.max(1)) as (Line<Int>) -> Void
      #expect(line.run(steps + [(3, end), (4, late)]) == ["\(completion) at 3s"])
      #expect(line.scheduler.pending.isEmpty)
    }
  }

  @Test(arguments: [true, false], [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The end waits for the date of a value that has been requested`(
    _ latest: Bool, _ completion: Subscribers.Completion<TestError>
  ) {
    let end: (Line<Int>) -> Void = { $0.subject.send(completion: completion) }
    let log = Line<Int>(latest: latest, demand: .max(2)).run([(1, value(1)), (2, value(2)), (3, end)])
    #expect(log == ["1 at 1s", "2 at 11s", "\(completion) at 11s"])
    let unmet = Line<Int>(latest: latest, demand: .max(1)).run([(1, value(1)), (2, value(2)), (3, end)])
    #expect(unmet == ["1 at 1s", "\(completion) at 3s"])
  }

  @Test(arguments: [true, false], [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `An end releases a value that nobody has asked for, and a subscriber that keeps its subscription`(
    _ latest: Bool, _ completion: Subscribers.Completion<TestError>
  ) {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, TestError>(), "upstream")
      // It keeps its subscription.
      let recorder = graveyard.watch(Recorder<Canary, TestError>(demand: nil), "downstream")
      subject.throttle(for: 1, scheduler: scheduler, latest: latest).subscribe(recorder)
      subject.send(graveyard.watch(Canary(), "value"))
      subject.send(completion: completion)
      scheduler.advance()
      #expect(recorder.completions == [completion])
    }
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(scheduler) {}
  }

  @Test func `The completion needs no demand when nothing waits`() {
    let line = Line<Int>(latest: true, demand: .max(1))
    line.subject.send(1)
    line.scheduler.advance()
    line.subject.send(completion: .finished)
    line.scheduler.advance()
    #expect(line.log == ["1 at 0s", "finished at 0s"])
  }

  // MARK: Pipelines

  @Test func `A flatMap of one inner publisher at a time gets the last value`() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    var work: [Int: PassthroughSubject<Int, Never>] = [:]
    let cancellable = subject.throttle(for: 1, scheduler: scheduler, latest: true)
      .flatMap(maxPublishers: .max(1)) { value in
        let inner = PassthroughSubject<Int, Never>()
        work[value] = inner
        return inner
      }
      .sink { _ in }
    subject.send(1)
    scheduler.advance()
    subject.send(2)
    scheduler.advance(by: 5)
    subject.send(3)
    scheduler.advance(by: 5)
    #expect(work.keys.sorted() == [1])
    work[1]?.send(completion: .finished)
    scheduler.advance()
    #expect(work.keys.sorted() == [1, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [false, true])
  func `An asynchronous sequence gets the last value before the end, if a buffer keeps it`(_ isBuffered: Bool) async {
    let subject = PassthroughSubject<Int, Never>()
    let throttled = subject.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true)
    var iterator =
      (isBuffered
      ? throttled.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
      : throttled.eraseToAnyPublisher()).values.makeAsyncIterator()
    for value in 1...3 { subject.send(value) }
    if !isBuffered { #expect(await iterator.next() == 3) }
    subject.send(4)
    subject.send(completion: .finished)
    if isBuffered { #expect(await iterator.next() == 4) }
    #expect(await iterator.next() == nil)
  }

  // MARK: Lifetimes

  @Test(arguments: [true, false])
  func `A cancel releases the value that waits, and the pipeline`(_ isScheduled: Bool) {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    var subscription: (any Subscription)?
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "upstream")
      let recorder = graveyard.watch(Recorder<Canary, Never>(demand: nil), "downstream")
      subject.throttle(for: 1, scheduler: scheduler, latest: true).subscribe(recorder)
      subject.send(graveyard.watch(Canary(), "value"))
      if isScheduled { recorder.request(.max(1)) }
      subscription = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors == ["upstream", "downstream", "value"])
    subscription?.cancel()
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime((subscription, scheduler)) {}
  }

  @Test func `A value that arrives after the cancel is not kept`() {
    var graveyard = Graveyard()
    let source = ManualPublisher<Canary, Never>()
    let recorder = Recorder<Canary, Never>(demand: nil)
    source.throttle(for: 1, scheduler: VirtualTimeScheduler(), latest: true).subscribe(recorder)
    recorder.cancel()
    source.send(graveyard.watch(Canary(), "value"))
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime((source, recorder)) {}
  }

  // MARK: Threads

  @Test(arguments: [true, false])
  func `Of values and requests on several threads the last value is delivered, unless it meets the end`(_ latest: Bool)
  {
    for round in 0..<100 {
      let endsLater = round.isMultiple(of: 2)
      let scheduler = CrowdScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demand: nil)
      subject.throttle(for: 0, scheduler: scheduler, latest: latest).subscribe(recorder)
      let subscription = UncheckedBox(recorder.subscription)
      let isOver = Locked(false)
      onThreads([
        {
          for value in 1...20 { subject.send(value) }
          if !endsLater { subject.send(completion: .finished) }
          isOver.change { $0 = true }
        },
        { for _ in 1...20 { subscription.value?.request(.max(1)) } },
        { while !isOver.value { scheduler.runAny() } },
      ])
      subscription.value?.request(.max(1))
      scheduler.runAll()
      if latest, endsLater { #expect(recorder.values.last == 20) }
      subject.send(completion: .finished)
      scheduler.runAll()
      #expect(recorder.values == recorder.values.sorted() && recorder.isSerial)
      #expect(recorder.isFinished)
    }
  }
}
