// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct ReceiveOnTests {
  @Test func `Each value and the completion are one call of the scheduler, with the options`() {
    let clock = testClock()
    let recorder = Recorder<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    subject.receive(on: clock, options: "quick").subscribe(recorder)
    #expect(clock.takeCalls().isEmpty)
    subject.send(1)
    #expect(clock.takeCalls() == [.schedule(options: "quick")])
    subject.send(2)
    subject.send(completion: .failure(.oops))
    #expect(clock.takeCalls() == [.schedule(options: "quick"), .schedule(options: "quick")])
    #expect(recorder.events == [.subscription("ReceiveOn")])
    clock.base.step()
    #expect(recorder.events == [.subscription("ReceiveOn"), .value(1)])
    clock.base.advance()
    #expect(recorder.events.suffix(2) == [.value(2), .completion(.failure(.oops))])
    #expect(clock.calls.isEmpty)
  }

  @Test func `Its parts are what it was made of`() {
    let clock = testClock()
    let publisher = Just(1).receive(on: clock, options: "quick")
    #expect(publisher.upstream == Just(1))
    #expect(publisher.scheduler === clock)
    #expect(publisher.options == "quick")
    #expect(Just(1).receive(on: clock).options == nil)
  }

  @Test func `The order survives a scheduler that runs the last block first`() {
    let scheduler = CrowdScheduler()
    let recorder = Recorder<Int, Never>()
    Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...50).receive(on: scheduler).subscribe(recorder)
    #expect(scheduler.calls == 51)
    while scheduler.runLast() {}
    #expect(recorder.values == Array(1...50))
    #expect(recorder.isFinished)
  }

  @Test func `The order survives a scheduler with many threads, and deliveries do not overlap`() {
    for _ in 0..<20 {
      let scheduler = CrowdScheduler()
      let probe = Recorder<Int, TestError>(demand: .unlimited)
      let subject = PassthroughSubject<Int, TestError>()
      subject.receive(on: scheduler).subscribe(probe)
      let sent = Locked(false)
      var work: [@Sendable () -> Void] = [
        {
          for value in 1...300 { subject.send(value) }
          subject.send(completion: .finished)
          sent.change { $0 = true }
        }
      ]
      for _ in 0..<3 {
        work.append { while scheduler.runAny() || !sent.value {} }
      }
      onThreads(work)
      scheduler.runAll()
      #expect(probe.values == Array(1...300))
      #expect(probe.completions.count == 1)
      #expect(probe.isSerial)
      #expect(scheduler.calls == 301)
    }
  }

  @Test func `A block that runs while the subscription is handed over waits for the scheduler, not for its thread`() {
    let scheduler = CrowdScheduler()
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    var during: [Int] = []
    let source = ManualPublisher<Int, Never>()
    source.subscription?.onRequest = { _ in
      source.send(1)
      // The block runs on another thread while this one is still delivering the subscription.
      elsewhere { scheduler.runAny() }
      during = recorder.values
    }
    recorder.onSubscription = { _ in }
    source.receive(on: scheduler).subscribe(recorder)
    #expect(during.isEmpty)
    #expect(recorder.values.isEmpty)
    #expect(scheduler.calls == 2)
    scheduler.runAll()
    #expect(recorder.values == [1])
  }

  enum Relocation: CaseIterable {
    case receive, delay, timeout

    func apply(_ source: ManualPublisher<Int, Never>, _ scheduler: CrowdScheduler) -> AnyPublisher<Int, Never> {
      switch self {
      case .receive: source.receive(on: scheduler).eraseToAnyPublisher()
      case .delay: source.delay(for: 1, scheduler: scheduler).eraseToAnyPublisher()
      case .timeout: source.timeout(1, scheduler: scheduler).eraseToAnyPublisher()
      }
    }
  }

  @Test(arguments: Relocation.allCases, [true, false])
  func `Blocks that run while the subscription is handed over are made up for one by one`(
    _ relocation: Relocation, _ ends: Bool
  ) {
    let scheduler = CrowdScheduler()
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    let source = ManualPublisher<Int, Never>()
    source.subscription?.onRequest = { _ in
      for value in 1...5 { source.send(value) }
      if ends { source.send(completion: .finished) }
      elsewhere { for _ in 1...4 { scheduler.runAny() } }
    }
    relocation.apply(source, scheduler).subscribe(recorder)
    #expect(recorder.values.isEmpty)
    var blocks = 0
    while scheduler.runAny() { blocks += 1 }
    #expect(blocks == (ends ? 6 : 5))
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.isFinished == ends)
  }

  @Test func `What comes behind a missed block is scheduled when the subscription has been handed over`() {
    let scheduler = CrowdScheduler()
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    let source = ManualPublisher<Int, Never>()
    var calls: [Int] = []
    source.subscription?.onRequest = { _ in
      for value in 1...2 { source.send(value) }
      elsewhere { scheduler.runAny() }
      for value in 3...5 { source.send(value) }
      calls.append(scheduler.calls)
    }
    source.receive(on: scheduler).subscribe(recorder)
    calls.append(scheduler.calls)
    scheduler.runAll()
    // One turn was missed and is scheduled again, and the last three are scheduled by the blocks before them.
    #expect(calls == [2, 3])
    #expect(scheduler.calls == 6)
    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  @Test func `Demand goes to a synchronous source, value for value, without growing the stack`() {
    let count = Locked(0)
    onSmallStack {
      let scheduler = VirtualTimeScheduler()
      let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
      Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...100_000).receive(on: scheduler).subscribe(recorder)
      // Every value is due at the present time.
      try? scheduler.run(maxActions: 200_000)
      count.change { $0 = recorder.values.count }
    }
    #expect(count.value == 100_000)
  }

  @Test func `On an immediate scheduler everything comes at once, and nests`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    var log: [String] = []
    recorder.onValue = { value in
      log.append("in \(value)")
      if value < 3 { subject.send(value + 1) }
      log.append("out \(value)")
      return .none
    }
    subject.receive(on: ImmediateScheduler.shared).subscribe(recorder)
    subject.send(1)
    #expect(log == ["in 1", "in 2", "in 3", "out 3", "out 2", "out 1"])
  }

  @Test func `A value sent during a delivery comes behind it`() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value < 3 { subject.send(value + 1) }
      return .none
    }
    subject.receive(on: scheduler).subscribe(recorder)
    subject.send(1)
    scheduler.advance()
    #expect(recorder.values == [1, 2, 3])
  }
}
