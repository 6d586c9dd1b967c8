// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct DropTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test(arguments: [0, 1, 3, 5, 9])
  func `The first values are left out`(_ count: Int) {
    let recorder = Recorder<Int, Never>()
    Publishers.Drop(upstream: (1...5).publisher, count: count).subscribe(recorder)
    #expect(recorder.values == Array((1...5).dropFirst(count)))
    #expect(recorder.isFinished)
  }

  @Test func `Without a count it is one`() {
    #expect(source.dropFirst().count == 1)
  }

  @Test func `Downstream gets its subscription before upstream is subscribed to`() {
    var log: [String] = []
    source.onSubscribe = { log.append("upstream") }
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { log.append("\($0)") }
    source.dropFirst(1).subscribe(recorder)
    #expect(log == ["Drop", "upstream"])
    #expect(recorder.subscriptions.count == 1)
  }

  @Test(
    arguments: [
      (0, nil, []), (3, nil, [.max(3)]), (0, .max(2), [.max(2)]), (3, .max(2), [.max(5)]),
      (3, .unlimited, [.unlimited]),
    ] as [(Int, Subscribers.Demand?, [Subscribers.Demand])])
  func `Upstream is asked for what is wanted and what is to be dropped, in one request`(
    _ count: Int, _ demand: Subscribers.Demand?, _ requests: [Subscribers.Demand]
  ) {
    source.dropFirst(count).subscribe(Recorder<Int, TestError>(demand: demand))
    #expect(source.subscription?.requests == requests)
  }

  @Test func `Requests before upstream's subscription are added up, later ones forwarded`() {
    let late = ManualSubscription()
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.dropFirst(3).subscribe(recorder)
    recorder.request(.max(2))
    recorder.request(.max(4))
    source.send(subscription: late)
    recorder.request(.max(1))
    #expect(late.requests == [.max(9), .max(1)])
  }

  @Test func `A dropped value is answered with nothing, later ones with what downstream wants`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(7))
    source.dropFirst(2).subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(source.send(3) == .max(7))
    #expect(source.send(4) == .max(7))
    #expect(recorder.values == [3, 4])
  }

  @Test func `Downstream gets as many as it has asked for`() {
    let recorder = Recorder<Int, Never>(demand: .max(2))
    Publishers.Drop(upstream: (1...10).publisher, count: 3).subscribe(recorder)
    #expect(recorder.values == [4, 5])
    recorder.onValue = { value in
      if value == 6 { recorder.request(.max(1)) }
      return value == 7 ? .max(1) : .none
    }
    recorder.request(.max(1))
    #expect(recorder.values == [4, 5, 6, 7, 8])
  }

  @Test func `Its texts, as a subscriber and as a subscription`() {
    let recorder = Recorder<Int, TestError>()
    source.dropFirst(2).subscribe(recorder)
    #expect(Shown(of: source.subscribers[0]) == Shown("Drop"))
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("Drop"))
    #expect(source.subscribers[0].combineIdentifier == recorder.subscriptions[0].combineIdentifier)
  }

  @Test func `A cancel goes up once, and nothing goes up after it`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.dropFirst(2).subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    #expect(source.calls == [.requested(.max(2)), .cancelled])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `Completions go through, without a cancel`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.dropFirst(2).subscribe(recorder)
    source.send(completion: completion)
    recorder.cancel()
    #expect(recorder.events == [.subscription("Drop"), .completion(completion)])
    #expect(source.calls == [.requested(.max(3))])
  }

  @Test func `Two are equal when upstream and count are`() {
    typealias Dropped = Publishers.Drop<Just<Int>>
    #expect(Dropped(upstream: Just(1), count: 1) == Dropped(upstream: Just(1), count: 1))
    #expect(Dropped(upstream: Just(1), count: 1) != Dropped(upstream: Just(1), count: 2))
    #expect(Dropped(upstream: Just(1), count: 1) != Dropped(upstream: Just(2), count: 1))
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(ManualPublisher<Int, TestError>(), "upstream")
      _ = graveyard.watch(source.subscription!, "upstream's subscription")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "downstream")
      source.dropFirst(1).subscribe(recorder)
      _ = graveyard.watch(recorder.subscriptions[0] as AnyObject, "operator's subscription")
      source.send(1)
      source.send(2)
      switch end {
      case "finish": source.send(completion: .finished)
      case "fail": source.send(completion: .failure(.oops))
      default: recorder.cancel()
      }
      recorder.releaseSubscriptions()
      source.releaseSubscribers()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
