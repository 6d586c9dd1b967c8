// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of `collect()`, beyond `CollectingRules`.
@Suite struct CollectTests {
  @Test(arguments: [0, 1, 3, 1_000])
  func `All values arrive in one array, in order`(_ count: Int) {
    let recorder = Recorder<[Int], Never>()
    let subject = PassthroughSubject<Int, Never>()
    subject.collect().subscribe(recorder)
    for value in 0..<count { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription("Collect"), .value(Array(0..<count)), .completion(.finished)])
  }

  @Test func `The mirror counts`() {
    let recorder = Recorder<[Int], Never>()
    let subject = PassthroughSubject<Int, Never>()
    subject.collect().subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.first?.value as? Int == 2)
  }

  @Test func `Collected objects are freed with the stream`() {
    var graveyard = Graveyard()
    do {
      let subject = PassthroughSubject<Canary, Never>()
      let cancellable = subject.collect().sink { _ in }
      subject.send(graveyard.watch(Canary()))
      #expect(graveyard.survivors.count == 1)
      cancellable.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Equal if the upstreams are`() {
    #expect(Publishers.Collect(upstream: Just(1)) == Publishers.Collect(upstream: Just(1)))
    #expect(Publishers.Collect(upstream: Just(1)) != Publishers.Collect(upstream: Just(2)))
  }
}
