// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of `count()`, beyond `CollectingRules`.
@Suite struct CountTests {
  @Test(arguments: [0, 1, 3, 1_000])
  func `Values are counted`(_ count: Int) {
    let recorder = Recorder<Int, Never>()
    let subject = PassthroughSubject<String, Never>()
    subject.count().subscribe(recorder)
    for _ in 0..<count { subject.send("same") }
    #expect(recorder.values.isEmpty)
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription("Count"), .value(count), .completion(.finished)])
  }

  @Test func `Equal if the upstreams are`() {
    #expect(Publishers.Count(upstream: Just(1)) == Publishers.Count(upstream: Just(1)))
    #expect(Publishers.Count(upstream: Just(1)) != Publishers.Count(upstream: Just(2)))
  }
}
