// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of the three forms of `last`, beyond `CollectingRules`.
@Suite struct LastTests {
  @Test(arguments: [([], nil, nil), ([1], 1, nil), ([5, 6], 6, 6), ([1, 7, 8, 2], 2, 8)] as [([Int], Int?, Int?)])
  func `The last value goes out, or the last that fits`(_ inputs: [Int], _ last: Int?, _ large: Int?) {
    let subject = PassthroughSubject<Int, Never>()
    let recorders = (Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Int, any Error>())
    subject.last().subscribe(recorders.0)
    subject.last { $0 > 4 }.subscribe(recorders.1)
    subject.tryLast { $0 > 4 }.subscribe(recorders.2)
    inputs.forEach { subject.send($0) }
    #expect(recorders.0.values.isEmpty && recorders.1.values.isEmpty && recorders.2.values.isEmpty)
    subject.send(completion: .finished)
    #expect(recorders.0.values.first == last)
    #expect(recorders.1.values.first == large)
    #expect(recorders.2.values.first == large)
    #expect(recorders.0.isFinished && recorders.1.isFinished && recorders.2.isFinished)
  }

  @Test func `Equal if the upstreams are`() {
    #expect(Publishers.Last(upstream: Just(1)) == Publishers.Last(upstream: Just(1)))
    #expect(Publishers.Last(upstream: Just(1)) != Publishers.Last(upstream: Just(2)))
  }
}
