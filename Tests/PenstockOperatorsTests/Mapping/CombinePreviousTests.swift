// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct CombinePreviousTests {
  @Test func `The first value has the initial one as its predecessor, in each subscription`() {
    let pairs = [1, 4, 9].publisher.combinePrevious(0).map { [$0, $1] }
    for _ in 0..<2 {
      let recorder = Recorder<[Int], Never>()
      pairs.subscribe(recorder)
      #expect(recorder.values == [[0, 1], [1, 4], [4, 9]])
      #expect(recorder.isFinished)
    }
  }

  @Test func `Each value gives a pair, so demand passes unchanged`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(2), answering: .max(3))
    let publisher = ManualPublisher<Int, TestError>()
    publisher.combinePrevious(0).map { [$0, $1] }.subscribe(recorder)
    #expect([1, 2].map { publisher.send($0) } == [.max(3), .max(3)])
    publisher.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(publisher.calls == [.requested(.max(2))])
  }
}
