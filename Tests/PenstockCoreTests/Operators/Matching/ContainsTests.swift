// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of the three forms of `contains`, beyond `CollectingRules`.
@Suite struct ContainsTests {
  @Test(arguments: [([], false, 0), ([1], false, 1), ([3], true, 1), ([1, 2], false, 2), ([1, 3, 3], true, 2)])
  func `The values are looked at until one fits`(_ inputs: [Int], _ expected: Bool, _ looked: Int) {
    var calls = 0
    let subject = PassthroughSubject<Int, Never>()
    let recorders = [Recorder<Bool, Never>(), Recorder<Bool, Never>()]
    let throwing = Recorder<Bool, any Error>()
    subject.contains(3).subscribe(recorders[0])
    subject.contains { value in
      calls += 1
      return value > 2
    }.subscribe(recorders[1])
    subject.tryContains { $0 > 2 }.subscribe(throwing)
    inputs.forEach { subject.send($0) }
    subject.send(completion: .finished)
    for recorder in recorders { #expect(recorder.values == [expected]) }
    #expect(throwing.values == [expected])
    #expect(calls == looked)
  }

  @Test func `Equal if upstream and value are`() {
    #expect(Publishers.Contains(upstream: Just(1), output: 2) == Publishers.Contains(upstream: Just(1), output: 2))
    #expect(Publishers.Contains(upstream: Just(1), output: 2) != Publishers.Contains(upstream: Just(1), output: 3))
    #expect(Publishers.Contains(upstream: Just(1), output: 2) != Publishers.Contains(upstream: Just(2), output: 2))
  }
}
