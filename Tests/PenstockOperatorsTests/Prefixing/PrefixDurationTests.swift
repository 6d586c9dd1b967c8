// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct PrefixDurationTests {
  private let scheduler = VirtualTimeScheduler()
  private let publisher = ManualPublisher<Int, TestError>()

  @Test func `Values pass until the time is over, and then upstream is cancelled`() {
    let recorder = Recorder<Int, TestError>()
    publisher.prefix(duration: 5, on: scheduler).subscribe(recorder)
    publisher.send(1)
    scheduler.advance(by: 4.9)
    publisher.send(2)
    #expect(recorder.completions.isEmpty)
    scheduler.advance(by: 0.1)
    publisher.send(3)
    #expect(recorder.values == [1, 2] && recorder.completions == [.finished])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `The time begins with each subscription, and not with a request or a value`() {
    let prefix = publisher.prefix(duration: 5, on: scheduler)
    let early = Recorder<Int, TestError>(demand: nil)
    prefix.subscribe(early)
    scheduler.advance(by: 3)
    early.request(.max(1))
    publisher.send(1)
    let late = Recorder<Int, TestError>(demand: nil)
    prefix.subscribe(late)
    scheduler.advance(by: 2)
    #expect(early.isFinished && late.completions.isEmpty)
    scheduler.advance(by: 3)
    #expect(late.isFinished)
  }

  @Test func `Demand passes unchanged`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    publisher.prefix(duration: 5, on: scheduler).subscribe(recorder)
    #expect(publisher.send(1) == .max(3))
    recorder.request(.max(1))
    #expect(publisher.calls == [.requested(.max(2)), .requested(.max(1))])
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func `An earlier end is the end, and nothing is left but the scheduler's action`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      subject.prefix(duration: 5, on: scheduler).subscribe(recorder)
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      default: recorder.cancel()
      }
      scheduler.advance(by: 1)
      #expect(recorder.completions.count == (end == "cancel" ? 0 : 1))
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    scheduler.advance(by: 10)
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `The tolerance and the options reach the scheduler`() {
    let recording = RecordingScheduler(scheduler)
    let recorder = Recorder<Int, TestError>()
    publisher.prefix(duration: 5, tolerance: 0.5, on: recording).subscribe(recorder)
    #expect(recording.calls.contains(.scheduleAfter(5, tolerance: 0.5, options: nil)), "\(recording.calls)")
    scheduler.advance(by: 5)
    #expect(recorder.isFinished)
  }

  @Test func `The end waits for a delivery on another thread`() {
    let recorder = Recorder<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    recorder.onValue = { [scheduler] _ in
      elsewhere { scheduler.advance(by: 5) }
      return .none
    }
    subject.prefix(duration: 5, on: scheduler).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(!recorder.hasOverlapped)
    #expect(recorder.values == [1] && recorder.isFinished)
  }
}
