// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct TimeoutFirstTests {
  private let clock = VirtualTimeScheduler()
  private let source = ManualPublisher<Int, TestError>()

  @Test func `Without a value in time it finishes, or fails with the error of the closure`() {
    let (finished, failed) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    source.timeout(first: 5, scheduler: clock).subscribe(finished)
    source.timeout(first: 5, scheduler: clock) { .oops }.subscribe(failed)
    clock.advance(by: 4.9)
    #expect(finished.completions.isEmpty && failed.completions.isEmpty)
    clock.advance(by: 0.1)
    #expect(finished.completions == [.finished])
    #expect(failed.completions == [.failure(.oops)])
    #expect(source.calls.filter { $0 == .cancelled }.count == 2)
  }

  @Test func `After the first value any silence is allowed, and the closure is not called`() {
    let recorder = Recorder<Int, TestError>()
    source.timeout(first: 5, scheduler: clock) {
      Issue.record("the closure has been called")
      return .oops
    }.subscribe(recorder)
    clock.advance(by: 4)
    source.send(1)
    clock.advance(by: 1_000)
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.values == [1, 2])
    #expect(recorder.isFinished)
  }

  @Test func `The time runs from the subscription, and not from a request`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.timeout(first: 5, scheduler: clock).subscribe(recorder)
    clock.advance(by: 4)
    recorder.request(.max(1))
    clock.advance(by: 1)
    #expect(recorder.isFinished)
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A completion before a value is in time`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Int, TestError>()
    source.timeout(first: 5, scheduler: clock) { TestError("late") }.subscribe(recorder)
    source.send(completion: completion)
    clock.advance(by: 10)
    #expect(recorder.completions == [completion])
  }

  @Test func `Demand passes, before and after the first value`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    source.timeout(first: 5, scheduler: clock).subscribe(recorder)
    recorder.request(.max(1))
    let first = source.send(1)
    recorder.request(.max(4))
    let second = source.send(2)
    let granted: Subscribers.Demand = source.subscription!.requests.reduce(first + second, +)
    #expect(granted == .max(13))
    #expect(recorder.values == [1, 2])
  }

  @Test func `A value that is there at once sets no timer`() {
    let recorder = Recorder<Int, Never>()
    Just(1).timeout(first: 5, scheduler: clock).subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(clock.pending.isEmpty)
  }

  @Test(arguments: ["value", "finish", "cancel"])
  func `Nothing is left but the scheduler's action`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      subject.timeout(first: 5, scheduler: clock).subscribe(recorder)
      switch end {
      case "value":
        subject.send(1)
        recorder.cancel()
      case "finish": subject.send(completion: .finished)
      default: recorder.cancel()
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    clock.advance(by: 10)
    #expect(clock.pending.isEmpty)
  }

  @Test func `The first value and the end of the time on two threads: one of them wins`() {
    for _ in 0..<300 {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let recorder = Recorder<Int, TestError>()
      subject.timeout(first: 1, scheduler: clock) { .oops }.subscribe(recorder)
      onThreads([{ clock.advance(by: 1) }, { subject.send(1) }])
      subject.send(2)
      #expect(recorder.values == [1, 2] && recorder.completions.isEmpty || recorder.completions == [.failure(.oops)])
      #expect(recorder.completions.isEmpty || recorder.values.isEmpty)
      #expect(!recorder.hasOverlapped)
    }
  }

  @Test func `A negative interval traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).timeout(first: -1, scheduler: VirtualTimeScheduler())
    }
    expectMessage(result, "timeout(first:) takes an interval of 0 or more, but was given -1s. Clamp the value")
  }
}
