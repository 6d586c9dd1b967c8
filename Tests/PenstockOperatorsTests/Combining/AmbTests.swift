// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct AmbTests {
  private let first = ManualPublisher<Int, TestError>()
  private let second = ManualPublisher<Int, TestError>()

  @Test(arguments: [0, 1])
  func `The one that delivers first is republished, the other cancelled`(_ winner: Int) {
    let sources = [first, second]
    let recorder = Recorder<Int, TestError>()
    first.amb(second).subscribe(recorder)
    sources[winner].send(1)
    sources[1 - winner].send(2)
    sources[1 - winner].send(completion: .failure(.oops))
    sources[winner].send(3)
    sources[winner].send(completion: .finished)
    #expect(recorder.values == [1, 3])
    #expect(recorder.completions == [.finished])
    #expect(sources[1 - winner].calls == [.requested(.unlimited), .cancelled])
    #expect(sources[winner].calls == [.requested(.unlimited)])
    #expect(recorder.subscriptionTexts == ["Amb"])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A completion is first, too`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Int, TestError>()
    first.amb(second).subscribe(recorder)
    second.send(completion: completion)
    first.send(1)
    #expect(recorder.values.isEmpty)
    #expect(recorder.completions == [completion])
    #expect(first.subscription?.cancellations == 1)
  }

  @Test func `Demand goes to both, and then to the first alone`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    first.amb(second).subscribe(recorder)
    recorder.request(.max(2))
    #expect(first.subscription?.requests == [.max(1), .max(2)])
    #expect(second.subscription?.requests == [.max(1), .max(2)])
    recorder.onValue = { _ in .max(4) }
    #expect(second.send(1) == .max(4))
    recorder.request(.max(5))
    #expect(first.subscription?.requests == [.max(1), .max(2)])
    #expect(second.subscription?.requests == [.max(1), .max(2), .max(5)])
  }

  @Test func `Demand that is requested in between reaches one that comes late, once`() {
    let late = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    first.amb(late).subscribe(recorder)
    recorder.request(.max(1))
    let subscription = ManualSubscription()
    late.send(subscription: subscription)
    #expect(subscription.requests == [.max(3)])
    let another = ManualSubscription()
    late.send(subscription: another)
    #expect(another.calls == [.cancelled])
  }

  @Test func `Once one has delivered, a list is not subscribed to any further`() {
    let recorder = Recorder<Int, Never>()
    let sources = [Empty(completeImmediately: false), Just(1)] as [any Publisher<Int, Never>]
    var subscribed = 0
    let list = (sources + [Just(2), Just(3)]).map { source in
      Deferred {
        subscribed += 1
        return AnyPublisher(erasing: source)
      }
    }
    list.amb().subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(recorder.isFinished)
    #expect(subscribed == 2)
  }

  @Test func `An empty list finishes at once`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    [Just<Int>]().amb().subscribe(recorder)
    #expect(recorder.subscriptionTexts == ["Amb"])
    #expect(recorder.isFinished)
  }

  @Test(arguments: [true, false])
  func `A cancel reaches all that are left`(_ hasWinner: Bool) {
    let recorder = Recorder<Int, TestError>()
    first.amb(second).subscribe(recorder)
    if hasWinner { first.send(1) }
    recorder.cancel()
    recorder.cancel()
    first.send(2)
    #expect(recorder.values == (hasWinner ? [1] : []))
    #expect(first.subscription?.cancellations == 1)
    #expect(second.subscription?.cancellations == 1)
  }

  @Test func `Nothing is left`() {
    var graveyard = Graveyard()
    do {
      let first = graveyard.watch(PassthroughSubject<Canary, TestError>(), "first")
      let second = graveyard.watch(PassthroughSubject<Canary, TestError>(), "second")
      let recorder = graveyard.watch(Recorder<Canary, TestError>(demand: .unlimited), "downstream")
      first.amb(second).subscribe(recorder)
      first.send(graveyard.watch(Canary(), "value"))
      recorder.dismiss()
    }
    #expect(graveyard.survivors == ["value"] || graveyard.survivors.isEmpty)
  }

  @Test func `Of two that deliver on two threads one wins, with all its values in order`() {
    for _ in 0..<200 {
      let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let recorder = Recorder<Int, Never>(demand: .unlimited)
      first.amb(second).subscribe(recorder)
      onThreads([
        { (0..<50).forEach(first.send) },
        { (100..<150).forEach(second.send) },
      ])
      #expect(recorder.values == Array(0..<50) || recorder.values == Array(100..<150))
      #expect(!recorder.hasOverlapped)
    }
  }
}

extension AnyPublisher {
  fileprivate init(erasing publisher: any Publisher<Output, Failure>) {
    self = publisher.eraseToAnyPublisher()
  }
}
