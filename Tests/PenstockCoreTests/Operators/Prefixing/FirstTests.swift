// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of the three forms of `first`, beyond `CollectingRules`.
@Suite struct FirstTests {
  @Test(arguments: [([], nil, nil), ([1], 1, nil), ([5, 6], 5, 5), ([1, 2, 7, 8], 1, 7)] as [([Int], Int?, Int?)])
  func `The first value goes out, or the first that fits`(_ inputs: [Int], _ first: Int?, _ large: Int?) {
    let subject = PassthroughSubject<Int, Never>()
    let recorders = (Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Int, any Error>())
    subject.first().subscribe(recorders.0)
    subject.first { $0 > 4 }.subscribe(recorders.1)
    subject.tryFirst { $0 > 4 }.subscribe(recorders.2)
    inputs.forEach { subject.send($0) }
    subject.send(completion: .finished)
    #expect(recorders.0.values.first == first)
    #expect(recorders.1.values.first == large)
    #expect(recorders.2.values.first == large)
    #expect(recorders.0.isFinished && recorders.1.isFinished && recorders.2.isFinished)
  }

  @Test func `An endless upstream ends with the first value`() {
    let recorder = Recorder<Int, Never>()
    sequence(first: 1) { $0 + 1 }.publisher.eraseToAnyPublisher().first { $0 > 1_000 }.subscribe(recorder)
    #expect(recorder.events == [.subscription("TryFirst"), .value(1_001), .completion(.finished)])
  }

  @Test func `A value sent while the first one is delivered comes too late`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { _ in
      subject.send(2)
      return .none
    }
    subject.first().subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == [.subscription("First"), .value(1), .completion(.finished)])
  }

  @Test func `Equal if the upstreams are`() {
    #expect(Publishers.First(upstream: Just(1)) == Publishers.First(upstream: Just(1)))
    #expect(Publishers.First(upstream: Just(1)) != Publishers.First(upstream: Just(2)))
  }
}
