// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A sequence upstream of `flatMap` gets the demand for the next value as the answer to the one before, and nobody can
/// see it.
@Suite struct FlatMapAnswerTests {
  @Test(arguments: Fusible.sources)
  func `All that can be seen is what happens with an operator in between`(_ fusible: Fusible) {
    for scene in FlatteningScene.all where !scene.isDriven {
      var apart = scene
      apart.isApart = true
      for hidden in [true, false] {
        let expected = fusible.happenings(in: apart, hidden: hidden)
        #expect(fusible.happenings(in: scene, hidden: hidden) == expected, "\(scene), \(hidden)")
      }
    }
  }

  @Test func `A sequence is asked once, and then answered`() async {
    // In a process of its own: the list has all streams.
    await #expect(processExitsWith: .success) { () async throws in
      let last = PassthroughSubject<Int, Never>()
      let inner = { (number: Int) in number < 99 ? Just(number).eraseToAnyPublisher() : last.eraseToAnyPublisher() }
      var sum = 0
      let cancellable = (0..<200).publisher.flatMap(maxPublishers: .max(1), inner).sink { sum += $0 }
      var requests: [UInt] = []
      liveLinks.forEach { link in
        guard let loop = link.object as? LoopSubscription else { return }
        var shown = LinkState()
        loop.show(in: &shown)
        requests.append(shown.moves)
      }
      #expect(requests == [1])
      #expect(sum == 4851)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func `An inner publisher that ends on another thread makes the operator ask`() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    var values: [Int] = []
    let cancellable = (0..<3).publisher.flatMap(maxPublishers: .max(1)) { subjects[$0] }.sink { values.append($0) }
    for (number, subject) in subjects.enumerated() {
      onThreads(1) { _ in
        subject.send(number)
        subject.send(completion: .finished)
      }
    }
    #expect(values == [0, 1, 2])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: 1...4)
  func `A cancel in an inner publisher's value ends the sequence`(_ limit: Int) {
    var opened: [Int] = []
    var values: [Int] = []
    var cancellable: AnyCancellable?
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in Issue.record("completed") },
      receiveValue: { value in
        values.append(value)
        if values.count == limit { cancellable?.cancel() }
      })
    cancellable = AnyCancellable(sink)
    (0..<10).publisher.flatMap(maxPublishers: .max(1)) { number in
      opened.append(number)
      return Just(number)
    }.subscribe(sink)
    #expect(values == Array(0..<limit))
    #expect(opened == values)
  }
}
