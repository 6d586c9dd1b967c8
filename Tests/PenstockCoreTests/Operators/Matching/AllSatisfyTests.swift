// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of `allSatisfy` and `tryAllSatisfy`, beyond `CollectingRules`.
@Suite struct AllSatisfyTests {
  @Test(arguments: [([], true, 0), ([1], true, 1), ([3], false, 1), ([1, 2], true, 2), ([1, 3, 1], false, 2)])
  func `The values are looked at until one does not fit`(_ inputs: [Int], _ expected: Bool, _ looked: Int) {
    var calls = 0
    let subject = PassthroughSubject<Int, Never>()
    let (plain, throwing) = (Recorder<Bool, Never>(), Recorder<Bool, any Error>())
    subject.allSatisfy { value in
      calls += 1
      return value < 3
    }.subscribe(plain)
    subject.tryAllSatisfy { $0 < 3 }.subscribe(throwing)
    inputs.forEach { subject.send($0) }
    subject.send(completion: .finished)
    #expect(plain.values == [expected])
    #expect(throwing.values == [expected])
    #expect(calls == looked)
  }
}
