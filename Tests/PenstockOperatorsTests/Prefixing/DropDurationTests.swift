// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct DropDurationTests {
  private let scheduler = VirtualTimeScheduler()
  private let publisher = ManualPublisher<Int, TestError>()

  @Test func `Values are left out until the time is over, which begins with the subscription`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    publisher.drop(duration: 5, on: scheduler).subscribe(recorder)
    scheduler.advance(by: 3)
    recorder.request(.unlimited)
    publisher.send(1)
    scheduler.advance(by: 1.9)
    publisher.send(2)
    scheduler.advance(by: 0.1)
    publisher.send(3)
    publisher.send(completion: .finished)
    #expect(recorder.values == [3] && recorder.isFinished)
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test func `Demand passes, and a skipped value is replaced by another one`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(3))
    publisher.drop(duration: 5, on: scheduler).subscribe(recorder)
    #expect(publisher.send(1) == .max(1))
    #expect(publisher.send(2) == .max(1))
    scheduler.advance(by: 5)
    #expect(publisher.send(3) == .max(3))
    #expect(recorder.values == [3])
    #expect(publisher.calls == [.requested(.max(1))])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `An end within the time is the end`(_ end: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Int, TestError>()
    publisher.drop(duration: 5, on: scheduler).subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: end)
    scheduler.advance(by: 9)
    #expect(recorder.values == [] && recorder.completions == [end])
  }

  @Test(arguments: ["finish", "cancel", "cancel at once"])
  func `After an end nothing is left but the scheduler's action`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      if end == "cancel at once" { recorder.onSubscription = { $0.cancel() } }
      subject.drop(duration: 5, on: scheduler).subscribe(recorder)
      if end == "finish" { subject.send(completion: .finished) } else { recorder.cancel() }
      scheduler.advance(by: 1)
      subject.send(1)
      #expect(recorder.values == [])
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    scheduler.advance(by: 10)
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `The time may end on another thread, during a delivery`() {
    let recorder = Recorder<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    subject
      .handleEvents(receiveOutput: { [scheduler] value in if value == 1 { elsewhere { scheduler.advance(by: 5) } } })
      .drop(duration: 5, on: scheduler).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [1, 2])
    #expect(!recorder.hasOverlapped)
  }
}
