// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct CollectByCountTests {
  private func attach(
    _ count: Int, _ recorder: Recorder<[Int], TestError>, subscription: ManualSubscription? = ManualSubscription()
  ) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>(subscription: subscription)
    publisher.collect(count).subscribe(recorder)
    return publisher
  }

  @Test(
    arguments: [
      (1, 0, []), (1, 2, [[1], [2]]), (2, 1, [[1]]), (2, 4, [[1, 2], [3, 4]]), (2, 5, [[1, 2], [3, 4], [5]]),
      (10, 3, [[1, 2, 3]]), (.max, 3, [[1, 2, 3]]), (0, 3, [[1, 2, 3]]), (0, 0, []),
    ] as [(Int, Int, [[Int]])])
  func `Values come in arrays, the last of which may be shorter`(_ size: Int, _ sent: Int, _ expected: [[Int]]) {
    let recorder = Recorder<[Int], Never>()
    let subject = PassthroughSubject<Int, Never>()
    subject.collect(size).subscribe(recorder)
    for value in 0..<sent { subject.send(value + 1) }
    subject.send(completion: .finished)
    #expect(recorder.values == expected)
    #expect(recorder.isFinished)
  }

  @Test func `An array goes out with its last value`() {
    let recorder = Recorder<[Int], TestError>()
    let publisher = attach(2, recorder)
    publisher.send(1)
    #expect(recorder.values.isEmpty)
    publisher.send(2)
    #expect(recorder.values == [[1, 2]])
  }

  @Test func `Demand is multiplied by the size`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(2), answering: .max(1))
    let publisher = attach(3, recorder)
    recorder.request(.max(.max))
    recorder.request(.unlimited)
    #expect(publisher.calls == [.requested(.max(6)), .requested(.unlimited), .requested(.unlimited)])
    #expect([1, 2, 3, 4].map { publisher.send($0) } == [.none, .none, .max(3), .none])
  }

  @Test func `With a finite demand as many arrays come as were asked for`() {
    let recorder = Recorder<[Int], Never>(demand: .max(2))
    (1...9).publisher.collect(2).subscribe(recorder)
    #expect(recorder.values == [[1, 2], [3, 4]])
    recorder.request(.max(3))
    #expect(recorder.values == [[1, 2], [3, 4], [5, 6], [7, 8], [9]])
    #expect(recorder.isFinished)
  }

  @Test func `A request during a delivery is served`() {
    let recorder = Recorder<[Int], Never>(demand: .max(1))
    recorder.onValue = { _ in
      recorder.request(.max(1))
      return .none
    }
    (1...5).publisher.collect(2).subscribe(recorder)
    #expect(recorder.values == [[1, 2], [3, 4], [5]])
  }

  @Test func `With a size of zero a finite demand asks for nothing`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(3))
    let publisher = attach(0, recorder)
    #expect(publisher.calls.isEmpty)
    recorder.request(.unlimited)
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test func `A failure drops what is left`() {
    let recorder = Recorder<[Int], TestError>()
    let publisher = attach(2, recorder)
    [1, 2, 3].forEach { publisher.send($0) }
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("CollectByCount"), .value([1, 2]), .completion(.failure(.oops))])
  }

  /// Only an upstream that exceeds demand can leave values without demand.
  @Test func `What is left waits until it is asked for, and the completion behind it`() {
    let recorder = Recorder<[Int], Never>(demand: .max(1))
    let stop = PassthroughSubject<Void, Never>()
    let publisher = ObservableObjectPublisher()
    publisher.map { 1 }.prefix(untilOutputFrom: stop).collect(2).subscribe(recorder)
    for _ in 1...5 { publisher.send() }
    #expect(recorder.values == [[1, 1], [1, 1]])
    stop.send()
    #expect(recorder.values == [[1, 1], [1, 1]])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [[1, 1], [1, 1], [1]])
    #expect(recorder.isFinished)
  }

  @Test func `A cancel drops what waits to be asked for`() {
    var graveyard = Graveyard()
    let recorder = Recorder<[Canary], TestError>(demand: nil)
    let publisher = ManualPublisher<Canary, TestError>()
    publisher.collect(2).subscribe(recorder)
    publisher.send(graveyard.watch(Canary()))
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.oops))
    #expect(graveyard.survivors.count == 1)
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
  }

  @Test func `What the last full array is answered with may pay for what is left`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(1))
    let publisher = attach(2, recorder)
    recorder.onValue = { values in
      if values.count == 2 {
        publisher.send(3)
        publisher.send(completion: .finished)
      }
      return .max(1)
    }
    publisher.send(1)
    publisher.send(2)
    #expect(recorder.values == [[1, 2], [3]])
    #expect(recorder.isFinished)
  }

  @Test func `A cancel goes upstream once, and no values come afterwards`() {
    let recorder = Recorder<[Int], TestError>()
    let publisher = attach(2, recorder)
    publisher.send(1)
    recorder.cancel()
    recorder.cancel()
    #expect(publisher.send(2) == .none)
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("CollectByCount")])
  }

  @Test func `A cancel during the last array's delivery keeps the completion back`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<[Int], Never>()
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    subject.collect(2).subscribe(recorder)
    subject.send(1)
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription("CollectByCount"), .value([1])])
  }

  @Test func `An upstream that has finished is neither asked nor cancelled during the last array's delivery`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(1))
    recorder.onValue = { _ in
      recorder.request(.max(1))
      recorder.cancel()
      return .max(1)
    }
    let publisher = attach(2, recorder)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(publisher.calls == [.requested(.max(2))])
    #expect(recorder.events == [.subscription("CollectByCount"), .value([1])])
  }

  /// A quirk that only an upstream that breaks the rules can show.
  @Test func `A completion is forwarded before a subscription, after a cancel, and repeatedly`() {
    let early = Recorder<[Int], TestError>()
    let publisher = attach(2, early, subscription: nil)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    publisher.send(completion: .finished)
    #expect(early.events == [.completion(.finished), .completion(.finished)])
    let late = Recorder<[Int], TestError>()
    let second = attach(2, late)
    second.send(1)
    late.cancel()
    second.send(completion: .finished)
    #expect(late.events == [.subscription("CollectByCount"), .completion(.finished)])
  }

  @Test func `A request and a cancel before the subscription are ignored`() throws {
    let recorder = Recorder<[Int], TestError>(demand: nil)
    var seen: Any?
    Spy<Int, TestError> { seen = $0 }.collect(2).subscribe(recorder)
    let link = try #require(seen as? any Subscription)
    link.request(.max(2))
    link.cancel()
    let subscriber = try #require(seen as? any Subscriber<Int, TestError>)
    let subscription = ManualSubscription()
    subscriber.receive(subscription: subscription)
    #expect(subscription.calls.isEmpty)
    #expect(recorder.subscriptions.count == 1)
  }

  @Test func `A second subscription is cancelled`() {
    let publisher = attach(2, Recorder())
    let second = ManualSubscription()
    publisher.send(subscription: second)
    #expect(second.calls == [.cancelled])
  }

  @Test func `Asking for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PassthroughSubject<Int, Never>().collect(2).subscribe(Recorder<[Int], Never>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `A negative size traps at the first request, and not before`() async {
    let recorder = Recorder<[Int], Never>(demand: nil)
    PassthroughSubject<Int, Never>().collect(-1).subscribe(recorder)
    #expect(recorder.subscriptions.count == 1)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PassthroughSubject<Int, Never>().collect(-1).subscribe(Recorder<[Int], Never>(demand: .max(1)))
    }
    expectMessage(result, "collect(_:) takes a count of 0 or more")
  }

  @Test func `It shows its name and its state`() {
    let recorder = Recorder<[Int], TestError>()
    let publisher = attach(2, recorder)
    publisher.send(1)
    let shown = Shown("CollectByCount", children: ["downstream", "upstreamSubscription", "buffer", "count"])
    #expect(Shown(of: recorder.subscriptions[0]) == shown)
    #expect(Shown(of: publisher.subscribers[0]) == shown)
    let children = Array(Mirror(reflecting: recorder.subscriptions[0]).children)
    #expect(children[2].value as? [Int] == [1])
    #expect(children[3].value as? Int == 2)
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, TestError>(), "subject")
      let cancellable = subject.collect(2).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      for index in 0..<3 { subject.send(graveyard.watch(Canary(), "value \(index)")) }
      #expect(graveyard.survivors == ["subject", "value 2"])
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      default: cancellable.cancel()
      }
      #expect(graveyard.survivors == ["subject"])
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Equal if upstream and size are`() {
    typealias Collected = Publishers.CollectByCount<Just<Int>>
    #expect(Collected(upstream: Just(1), count: 2) == Collected(upstream: Just(1), count: 2))
    #expect(Collected(upstream: Just(1), count: 2) != Collected(upstream: Just(1), count: 3))
    #expect(Collected(upstream: Just(1), count: 2) != Collected(upstream: Just(2), count: 2))
  }
}

/// A publisher that exposes the subscriber it receives.
struct Spy<Output, Failure: Error>: Publisher {
  let seen: (Any) -> Void

  init(_ seen: @escaping (Any) -> Void) { self.seen = seen }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { seen(subscriber) }
}
