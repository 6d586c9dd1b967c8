// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockDispatch
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct ReceiveOnUpToTests {
  let clock = VirtualTimeScheduler()

  @Test func `What waits is delivered by one action, up to the count`() {
    let subject = PassthroughSubject<Int, TestError>()
    let scheduler = RecordingScheduler(clock)
    let recorder = Recorder<Int, TestError>()
    subject.receive(on: scheduler, upTo: 3).subscribe(recorder)
    for value in 1...7 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(scheduler.takeCalls() == [.schedule(options: nil)])
    #expect(recorder.values.isEmpty)
    clock.advance()
    #expect(recorder.values == Array(1...7))
    #expect(recorder.isFinished)
    // Eight events, three at a time.
    #expect(scheduler.takeCalls().count == 2)
    #expect(recorder.subscriptionTexts == ["ReceiveOn"])
  }

  @Test func `Other work runs between two actions`() {
    let subject = PassthroughSubject<Int, Never>()
    let texts = Locked<[String]>([])
    let cancellable = subject.receive(on: clock, upTo: 2).sink { value in texts.change { $0.append("\(value)") } }
    for value in 1...4 { subject.send(value) }
    clock.schedule { texts.change { $0.append("other") } }
    clock.advance()
    #expect(texts.value == ["1", "2", "other", "3", "4"])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [1, 2, 64])
  func `Demand is passed on, and what deliveries return is requested after the action`(_ count: Int) {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(1))
    source.receive(on: clock, upTo: count).subscribe(recorder)
    #expect(source.calls == [.requested(.max(2))])
    _ = source.send(1)
    _ = source.send(2)
    clock.advance()
    #expect(source.subscription?.requests.reduce(.none, +) == .max(4))
    #expect(source.calls.count == (count == 1 ? 3 : 2))
    #expect(recorder.complaints.isEmpty)
  }

  @Test func `A cancel within an action is the last that happens`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Canary, Never>()
    let recorder = Recorder<Canary, Never>()
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    subject.receive(on: clock, upTo: 9).subscribe(recorder)
    for _ in 0..<5 { subject.send(graveyard.watch(Canary())) }
    clock.advance()
    #expect(recorder.values.count == 1)
    #expect(graveyard.survivors.count == 1)
    #expect(clock.pending.isEmpty)
  }

  @Test func `A scheduler that runs its blocks at once delivers at once, without a recursion`() {
    onSmallStack {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      recorder.onValue = { value in
        if value < 50_000 { subject.send(value + 1) }
        return .none
      }
      subject.receive(on: AnyScheduler<VirtualTime, Never>.immediate(now: 0), upTo: 2).subscribe(recorder)
      subject.send(0)
      #expect(recorder.values == Array(0...50_000))
      #expect(recorder.isSerial)
    }
  }

  @Test(arguments: [1, 3, 100])
  func `Several senders and a queue keep the order of each`(_ count: Int) {
    for _ in 0..<20 {
      let subject = PassthroughSubject<(Int, Int), Never>()
      let queue = DispatchQueue(label: "receives")
      let values = Locked<[(Int, Int)]>([])
      let done = Gate()
      let cancellable = subject.receive(on: queue, upTo: count).sink(
        receiveCompletion: { _ in done.open() }, receiveValue: { value in values.change { $0.append(value) } })
      onThreads(3) { sender in for number in 0..<300 { subject.send((sender, number)) } }
      subject.send(completion: .finished)
      done.wait()
      for sender in 0..<3 {
        #expect(values.value.filter { $0.0 == sender }.map(\.1) == Array(0..<300))
      }
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func `A concurrent queue does not make deliveries overlap`() {
    for _ in 0..<20 {
      let subject = PassthroughSubject<Int, Never>()
      let queue = DispatchQueue(label: "receives", attributes: .concurrent)
      let recorder = Recorder<Int, Never>()
      let done = Gate()
      recorder.onCompletion = { _ in done.open() }
      subject.receive(on: queue, upTo: 7).subscribe(recorder)
      for number in 0..<1_000 { subject.send(number) }
      subject.send(completion: .finished)
      done.wait()
      #expect(recorder.values == Array(0..<1_000))
      #expect(!recorder.hasOverlapped)
    }
  }

  @Test func `A count below one traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).receive(on: ImmediateScheduler.shared, upTo: 0)
    }
    expectMessage(result, "receive(on:upTo:) takes a count of 1 or more, but was given 0. Clamp the value")
  }
}
