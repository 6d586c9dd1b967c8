// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct TimestampTests {
  @Test func `Each value has the time at which it has come`() {
    let clock = VirtualTimeScheduler()
    let subject = PassthroughSubject<String, TestError>()
    let recorder = Recorder<String, TestError>()
    subject.timestamp(using: clock).map { "\($0.value) \($0.time)" }.subscribe(recorder)
    subject.send("a")
    clock.advance(by: 2)
    subject.send("b")
    subject.send(completion: .failure(.oops))
    #expect(recorder.values == ["a 0s", "b 2s"])
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `Demand passes, and nothing is scheduled`() {
    let clock = VirtualTimeScheduler()
    let recording = RecordingScheduler(clock)
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    source.timestamp(using: recording).map(\.value).subscribe(recorder)
    #expect(source.calls == [.requested(.max(2))])
    #expect(source.send(1) == .max(3))
    #expect(recording.calls == [.now])
  }
}
