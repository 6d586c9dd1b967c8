// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct CombineLatestTests {
  @Test(arguments: FanInCase.combineLatests)
  func `Downstream gets its subscription even if upstreams have not delivered theirs`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: .max(2))
    let late = Manual(subscription: nil)
    let upstreams = candidate.attach(recorder, upstreams: [late] + (1..<candidate.count).map { _ in Manual() })
    #expect(recorder.events == [.subscription("CombineLatest")])
    recorder.request(.max(3))
    for upstream in upstreams.dropFirst() {
      #expect(upstream.calls == [.requested(.max(2)), .requested(.max(3))])
    }
    // A subscription that arrives later gets the same request.
    let subscription = ManualSubscription()
    late.send(subscription: subscription)
    #expect(subscription.calls == [.requested(.max(5))])
    recorder.request(.max(1))
    #expect(subscription.calls == [.requested(.max(5)), .requested(.max(1))])
  }

  @Test func `A value that ends the stream as it is replaced has no tuple behind the end`() {
    let (texts, numbers) = (PassthroughSubject<Acting, TestError>(), PassthroughSubject<Int, TestError>())
    let recorder = Recorder<Int, TestError>(demand: .unlimited)
    texts.combineLatest(numbers) { _, number in number }.subscribe(recorder)
    numbers.send(1)
    texts.send(Acting { numbers.send(completion: .failure(.oops)) })
    texts.send(Acting {})
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.failure(.oops)])
    #expect(recorder.complaints.isEmpty)
  }

  @Test(arguments: FanInCase.combineLatests)
  func `By itself it asks for nothing`(_ candidate: FanInCase) {
    let upstreams = candidate.attach(RowRecorder(demand: nil))
    for upstream in upstreams { #expect(upstream.calls.isEmpty) }
  }

  @Test(arguments: FanInCase.combineLatests)
  func `Each value makes a tuple with the latest of the others, once all have one`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder)
    upstreams[0].send(5)
    for (place, upstream) in upstreams.enumerated() { #expect(upstream.send(place) == .none) }
    upstreams[0].send(7)
    upstreams[1].send(8)
    let rest = Array(2..<candidate.count)
    #expect(recorder.values == [[0, 1] + rest, [7, 1] + rest, [7, 8] + rest])
  }

  @Test(arguments: FanInCase.combineLatests)
  func `Demand is counted, and a value without demand is part of the next tuple`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: .max(1))
    let upstreams = candidate.attach(recorder)
    for upstream in upstreams { upstream.send(1) }
    #expect(recorder.values.count == 1)
    #expect(upstreams[0].send(2) == .none)
    // A request alone sends nothing.
    recorder.request(.max(1))
    #expect(recorder.values.count == 1)
    upstreams[1].send(3)
    #expect(recorder.values.last?.prefix(2) == [2, 3])
    #expect(recorder.values.count == 2)
    upstreams[1].send(4)
    #expect(recorder.values.count == 2)
  }

  @Test(arguments: FanInCase.combineLatests)
  func `What a tuple is answered with is wanted, and returned to the upstream of its value`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: .max(1), answering: .max(2))
    let upstreams = candidate.attach(recorder)
    for upstream in upstreams.dropLast() { #expect(upstream.send(1) == .none) }
    #expect(upstreams.last?.send(1) == .max(2))
    recorder.onValue = nil
    for value in 2...4 { upstreams[0].send(value) }
    #expect(recorder.values.map { $0[0] } == [1, 2, 3])
  }

  @Test func `A value sent during a delivery only replaces the one before it`() {
    let recorder = RowRecorder(demand: .unlimited)
    let upstreams = FanInCase.combineLatests[0].attach(recorder)
    recorder.onValue = { value in
      if value == [1, 2] { #expect(upstreams[0].send(3) == .none) }
      return .none
    }
    upstreams[0].send(1)
    upstreams[1].send(2)
    #expect(recorder.values == [[1, 2]])
    upstreams[1].send(4)
    #expect(recorder.values == [[1, 2], [3, 4]])
  }

  @Test func `A value from another thread, during a delivery, makes a tuple in its turn`() {
    let recorder = RowRecorder(demand: .unlimited)
    let upstreams = FanInCase.combineLatests[0].attach(recorder)
    let second = UncheckedBox(upstreams[1])
    recorder.onValue = { value in
      if value == [1, 2] {
        onThreads([
          {
            #expect(second.value.send(3) == .none)
            #expect(second.value.send(4) == .none)
          }
        ])
        #expect(recorder.values == [[1, 2]])
      }
      return .max(1)
    }
    upstreams[0].send(1)
    upstreams[1].send(2)
    #expect(recorder.values == [[1, 2], [1, 3], [1, 4]])
    // The demand that downstream returns at that point is requested.
    #expect(upstreams[1].subscription?.requests.count == 3)
  }

  @Test(arguments: FanInCase.combineLatests)
  func `It finishes when all have, and the last value of one that has stays in use`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder)
    for upstream in upstreams.dropFirst() {
      upstream.send(1)
      upstream.send(completion: .finished)
    }
    #expect(recorder.completions.isEmpty)
    upstreams[0].send(1)
    upstreams[0].send(2)
    #expect(recorder.values.map { $0[0] } == [1, 2])
    upstreams[0].send(completion: .finished)
    #expect(recorder.isFinished)
    for upstream in upstreams { #expect(upstream.subscription?.cancellations == 0) }
  }

  @Test(arguments: FanInCase.combineLatests)
  func `One that finishes without a value does not end the stream`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder)
    upstreams[0].send(completion: .finished)
    for upstream in upstreams.dropFirst() { upstream.send(1) }
    #expect(recorder.events == [.subscription("CombineLatest")])
    for upstream in upstreams.dropFirst() { upstream.send(completion: .finished) }
    #expect(recorder.isFinished)
    #expect(recorder.values.isEmpty)
  }

  @Test(arguments: FanInCase.combineLatests)
  func `An end that comes before the subscription waits for that`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    var subscribed = 0
    let failing = Fail<Int, TestError>(error: .oops).eraseToAnyPublisher()
    let others = (1..<candidate.count).map { _ in Manual() }
    for other in others { other.onSubscribe = { subscribed += 1 } }
    candidate.combine([failing] + others.map { $0.eraseToAnyPublisher() }).subscribe(recorder)
    #expect(recorder.events == [.subscription("CombineLatest"), .completion(.failure(.oops))])
    #expect(subscribed == candidate.count - 1)
    for other in others { #expect(other.calls.last == .cancelled) }

    let empty = RowRecorder()
    candidate.combine((0..<candidate.count).map { _ in Empty().eraseToAnyPublisher() }).subscribe(empty)
    #expect(empty.events == [.subscription("CombineLatest"), .completion(.finished)])
  }

  @Test func `The mirror shows the state, unless another thread is delivering`() {
    let recorder = Recorder<(Int, Int), TestError>(demand: .max(3))
    let upstreams = [Manual(), Manual()]
    upstreams[0].combineLatest(upstreams[1]).subscribe(recorder)
    upstreams[0].send(7)
    let subscription = UncheckedBox(recorder.subscriptions[0])
    let shown = { @Sendable in
      let children = (subscription.value as? any CustomReflectable)?.customMirror.children.map(\.value) ?? []
      return (children[1] as? [Any], children[2] as? Subscribers.Demand, children[3] as? [Any])
    }
    #expect(shown().0?.count == 2)
    #expect(shown().1 == .max(3))
    #expect(shown().2?.first as? Int == 7)
    let seen = Locked<(Subscribers.Demand?, Int?)>((nil, nil))
    recorder.onValue = { _ in
      #expect(shown().1 == .max(2))
      elsewhere { seen.change { $0 = (shown().1, shown().2?.count) } }
      return .none
    }
    upstreams[1].send(8)
    #expect(seen.value.0 == nil)
    #expect(seen.value.1 == 0)
  }

  @Test func `Two hundred, one in the other, deliver`() {
    let subject = PassthroughSubject<Int, Never>()
    let nested = (0..<200).reduce(subject.eraseToAnyPublisher()) { inner, _ in
      inner.combineLatest(Just(1), +).eraseToAnyPublisher()
    }
    var values: [Int] = []
    let cancellable = nested.sink { values.append($0) }
    for value in 0..<3 { subject.send(value) }
    #expect(values == [200, 201, 202])
    cancellable.cancel()
  }

  @Test func `Equal parts make equal publishers`() {
    #expect(Just(1).combineLatest(Just("a")) == Publishers.CombineLatest(Just(1), Just("a")))
    #expect(Just(1).combineLatest(Just("a")) != Publishers.CombineLatest(Just(1), Just("b")))
    let three = Just(1).combineLatest(Just("a"), Just(2.5))
    #expect(three == Publishers.CombineLatest3(Just(1), Just("a"), Just(2.5)))
    #expect(three != Publishers.CombineLatest3(Just(2), Just("a"), Just(2.5)))
    let four = Just(1).combineLatest(Just(2), Just(3), Just(4))
    #expect(four == Publishers.CombineLatest4(Just(1), Just(2), Just(3), Just(4)))
    #expect(four != Publishers.CombineLatest4(Just(1), Just(2), Just(3), Just(5)))
  }
}

/// A value that does something as it is freed.
private final class Acting {
  private let act: () -> Void

  init(_ act: @escaping () -> Void) { self.act = act }

  deinit { act() }
}
