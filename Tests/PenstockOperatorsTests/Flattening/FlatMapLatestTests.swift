// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct FlatMapLatestTests {
  @Test func `The newest publisher replaces the one before, which is cancelled`() {
    let source = ManualPublisher<Int, TestError>()
    let inner = (0..<2).map { _ in ManualPublisher<String, TestError>() }
    let recorder = Recorder<String, TestError>(demand: .max(2))
    source.flatMapLatest { inner[$0] }.subscribe(recorder)
    source.send(0)
    inner[0].send("a")
    source.send(1)
    #expect(inner[0].subscription?.cancellations == 1)
    #expect(inner[1].calls == [.requested(.max(1))])
    inner[0].send("late")
    inner[1].send("b")
    source.send(completion: .finished)
    inner[1].send(completion: .finished)
    #expect(recorder.values == ["a", "b"])
    #expect(recorder.isFinished)
  }
}
