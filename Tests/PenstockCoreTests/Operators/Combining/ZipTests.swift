// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ZipTests {
  @Test(arguments: FanInCase.zips)
  func `Downstream gets its subscription when all upstreams have delivered theirs`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(
      recorder, upstreams: (0..<candidate.count).map { _ in Manual(subscription: nil) })
    let subscriptions = upstreams.map { _ in ManualSubscription() }
    for place in upstreams.indices.reversed() {
      #expect(recorder.events.isEmpty)
      upstreams[place].send(subscription: subscriptions[place])
    }
    #expect(recorder.events == [.subscription("Zip")])
    for subscription in subscriptions { #expect(subscription.calls == [.requested(.unlimited)]) }
  }

  /// Whether the sink knows the operator or not.
  @Test(arguments: [false, true])
  func `A cancel before downstream has its subscription reaches upstream when it gets it`(isErased: Bool) {
    let first = ManualPublisher<Int, Never>()
    let second = ManualPublisher<Int, Never>(subscription: nil)
    let zipped = first.zip(second)
    let cancellable = isErased ? zipped.eraseToAnyPublisher().sink { _ in } : zipped.sink { _ in }
    cancellable.cancel()
    #expect(first.calls.isEmpty)
    second.send(subscription: ManualSubscription())
    #expect(first.calls == [.cancelled])
  }

  @Test(arguments: FanInCase.zips)
  func `A request goes to every upstream as it is`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: nil)
    let upstreams = candidate.attach(recorder)
    recorder.request(.max(2))
    recorder.request(.max(3))
    recorder.request(.unlimited)
    for upstream in upstreams {
      #expect(upstream.calls == [.requested(.max(2)), .requested(.max(3)), .requested(.unlimited)])
    }
  }

  @Test(arguments: FanInCase.zips)
  func `Requests during the introduction are added up, and sent afterwards`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: nil)
    let upstreams = (0..<candidate.count).map { _ in Manual() }
    recorder.onSubscription = { subscription in
      subscription.request(.max(2))
      subscription.request(.max(3))
      for upstream in upstreams { #expect(upstream.calls.isEmpty) }
    }
    _ = candidate.attach(recorder, upstreams: upstreams)
    for upstream in upstreams { #expect(upstream.calls == [.requested(.max(5))]) }
  }

  @Test(arguments: FanInCase.zips)
  func `Values are kept until each upstream has one, whatever the demand`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: nil)
    let upstreams = candidate.attach(recorder)
    let last = candidate.count - 1
    for place in 0..<last {
      for value in 1...3 { #expect(upstreams[place].send(value * 10 + place) == .none) }
    }
    #expect(recorder.values.isEmpty)
    for value in 1...3 { upstreams[last].send(value * 10 + last) }
    #expect(recorder.values == (1...3).map { value in (0...last).map { value * 10 + $0 } })
  }

  @Test(arguments: FanInCase.zips)
  func `What a tuple is answered with goes to all upstreams`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: nil)
    let upstreams = candidate.attach(recorder)
    recorder.onValue = { _ in
      recorder.request(.max(2))
      recorder.request(.max(1))
      for upstream in upstreams { #expect(upstream.calls.isEmpty) }
      return .max(4)
    }
    for upstream in upstreams.dropLast() { #expect(upstream.send(1) == .none) }
    #expect(upstreams.last?.send(1) == .max(7))
    for upstream in upstreams.dropLast() { #expect(upstream.calls == [.requested(.max(7))]) }
    #expect(upstreams.last?.calls.isEmpty == true)
  }

  @Test func `A tuple completed during a delivery goes out at once, and its demand is returned for itself`() {
    let recorder = RowRecorder(demand: nil)
    let upstreams = FanInCase.zips[0].attach(recorder)
    recorder.onValue = { value in
      guard value == [1, 2] else { return .max(20) }
      recorder.request(.max(1))
      upstreams[1].send(4)
      #expect(upstreams[0].send(3) == .max(20))
      #expect(recorder.values == [[1, 2], [3, 4]])
      recorder.request(.max(2))
      return .max(3)
    }
    upstreams[0].send(1)
    #expect(upstreams[1].send(2) == .max(6))
    #expect(upstreams[0].calls == [.requested(.max(6))])
    #expect(upstreams[1].calls == [.requested(.max(20))])
  }

  @Test(arguments: FanInCase.zips)
  func `An upstream that finishes with nothing kept ends the stream`(_ candidate: FanInCase) {
    for place in 0..<candidate.count {
      let recorder = RowRecorder()
      let upstreams = candidate.attach(recorder)
      for (other, upstream) in upstreams.enumerated() where other != place { upstream.send(1) }
      upstreams[place].send(completion: .finished)
      #expect(recorder.events == [.subscription("Zip"), .completion(.finished)])
      for (other, upstream) in upstreams.enumerated() {
        #expect(upstream.subscription?.cancellations == (other == place ? 0 : 1))
      }
    }
  }

  @Test(arguments: FanInCase.zips)
  func `An upstream that finishes with values kept ends the stream behind the last of them`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder)
    upstreams[0].send(1)
    upstreams[0].send(2)
    upstreams[0].send(completion: .finished)
    for upstream in upstreams.dropFirst() { upstream.send(1) }
    #expect(recorder.values.count == 1)
    #expect(recorder.completions.isEmpty)
    for upstream in upstreams.dropFirst().dropLast() { upstream.send(2) }
    recorder.onValue = { _ in .max(1) }
    #expect(upstreams.last?.send(2) == Subscribers.Demand.none)
    #expect(recorder.values.count == 2)
    #expect(recorder.isFinished)
    for upstream in upstreams.dropFirst() { #expect(upstream.subscription?.cancellations == 1) }
    #expect(upstreams[0].subscription?.cancellations == 0)
  }

  @Test func `A failure drops what is kept`() {
    let recorder = RowRecorder()
    let upstreams = FanInCase.zips[0].attach(recorder)
    upstreams[0].send(1)
    upstreams[1].send(completion: .failure(.oops))
    upstreams[1].send(2)
    #expect(recorder.events == [.subscription("Zip"), .completion(.failure(.oops))])
  }

  @Test(arguments: FanInCase.zips, [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `An end that comes before the subscription waits for that`(
    _ candidate: FanInCase, _ end: Subscribers.Completion<TestError>
  ) {
    let recorder = RowRecorder()
    let first = Manual()
    let late = Manual(subscription: nil)
    let upstreams = [first] + (2..<candidate.count).map { _ in Manual() } + [late]
    first.onSubscribe = { [first] in
      first.send(subscription: first.subscription!)
      first.send(completion: end)
    }
    _ = candidate.attach(recorder, upstreams: upstreams)
    #expect(recorder.events.isEmpty)
    let subscription = ManualSubscription()
    late.send(subscription: subscription)
    #expect(recorder.events == [.subscription("Zip"), .completion(end)])
    // Nothing is requested in a stream that is over.
    #expect(subscription.calls == [.cancelled])
  }

  @Test func `An endless upstream ends with its partner`() {
    var pairs: [String] = []
    var finished = false
    let cancellable = [1, 2, 3].publisher.zip((10...).publisher) { "\($0) \($1)" }
      .sink(receiveCompletion: { _ in finished = true }, receiveValue: { pairs.append($0) })
    #expect(pairs == ["1 10", "2 11", "3 12"])
    #expect(finished)
    cancellable.cancel()
  }

  @Test func `Equal parts make equal publishers`() {
    #expect(Just(1).zip(Just("a")) == Publishers.Zip(Just(1), Just("a")))
    #expect(Just(1).zip(Just("a")) != Publishers.Zip(Just(2), Just("a")))
    #expect(Just(1).zip(Just("a"), Just(2.5)) == Publishers.Zip3(Just(1), Just("a"), Just(2.5)))
    #expect(Just(1).zip(Just("a"), Just(2.5)) != Publishers.Zip3(Just(1), Just("a"), Just(3)))
    #expect(Just(1).zip(Just(2), Just(3), Just(4)) == Publishers.Zip4(Just(1), Just(2), Just(3), Just(4)))
    #expect(Just(1).zip(Just(2), Just(3), Just(4)) != Publishers.Zip4(Just(1), Just(2), Just(4), Just(4)))
  }
}
