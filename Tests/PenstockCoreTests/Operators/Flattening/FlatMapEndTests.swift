// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The end of `flatMap`, and what it leaves in memory.
@Suite struct FlatMapEndTests {
  typealias Source = ManualPublisher<Int, TestError>

  private let upstream = Source()
  private let inner = [Source(), Source(), Source()]

  private func subscribe(_ recorder: Recorder<Int, TestError>) {
    upstream.flatMap { [inner] in inner[$0] }.subscribe(recorder)
  }

  @Test func `It finishes when upstream and all streams have`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    inner[0].send(completion: .finished)
    upstream.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    inner[1].send(completion: .finished)
    inner[1].send(completion: .finished)
    #expect(recorder.completions == [.finished])
    #expect(inner[1].calls == [.requested(.unlimited)])
    #expect(upstream.calls == [.requested(.unlimited)])
  }

  @Test func `Without a stream it finishes with upstream`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    upstream.send(completion: .finished)
    upstream.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("FlatMap"), .completion(.finished)])
  }

  @Test func `It waits for a stream whose subscription has not come`() {
    let late = Source(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    upstream.flatMap { _ in late }.subscribe(recorder)
    upstream.send(0)
    upstream.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    late.send(subscription: ManualSubscription())
    late.send(1)
    late.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
  }

  @Test func `It does not finish before values without demand have been delivered`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    upstream.send(0)
    inner[0].send(1)
    inner[0].send(completion: .finished)
    upstream.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .completion(.finished)])
  }

  @Test func `It waits for the stream of a value in whose closure upstream finishes`() {
    let recorder = Recorder<Int, TestError>()
    upstream.flatMap { [upstream, inner] place in
      upstream.send(completion: .finished)
      return inner[place]
    }.subscribe(recorder)
    upstream.send(0)
    inner[0].send(1)
    inner[0].send(completion: .finished)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .completion(.finished)])
  }

  /// What comes out of a value whose publisher delivers two at once, when upstream finishes meanwhile.
  @Test(arguments: ["closure", "first value", "last value"], [false, true])
  func `It waits for a publisher that delivers at once, within which upstream finishes`(
    _ point: String, _ isFused: Bool
  ) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      if (point, value) == ("first value", 10) || (point, value) == ("last value", 11) {
        subject.send(completion: .finished)
      }
      return .none
    }
    subject.flatMap { value in
      if point == "closure" { subject.send(completion: .finished) }
      let inner = [value * 10, value * 10 + 1].publisher.setFailureType(to: TestError.self)
      return isFused ? inner.eraseToAnyPublisher() : Hidden(inner).eraseToAnyPublisher()
    }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == [.subscription("FlatMap"), .value(10), .value(11), .completion(.finished)])
  }

  @Test func `A value that a closure sends is handled first, and upstream's end after both`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    subject.flatMap { value in
      if value == 1 {
        subject.send(2)
        subject.send(completion: .finished)
      }
      return Just(value).setFailureType(to: TestError.self)
    }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == [.subscription("FlatMap"), .value(2), .value(1), .completion(.finished)])
  }

  @Test func `A failure of upstream cancels the streams and drops what waits`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    inner[0].send(1)
    upstream.send(completion: .failure(.oops))
    recorder.request(.max(1))
    inner[1].send(2)
    #expect(recorder.events == [.subscription("FlatMap"), .completion(.failure(.oops))])
    #expect(inner[0...1].allSatisfy { $0.subscription!.cancellations == 1 })
    #expect(upstream.subscription?.cancellations == 0)
  }

  @Test func `A failure of a stream cancels the others, and is forwarded`() {
    var log: [String] = []
    let recorder = Recorder<Int, TestError>()
    recorder.onCompletion = { log.append("\($0)") }
    subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    inner[1].subscription?.onCancel = { log.append("cancel") }
    inner[0].send(completion: .failure(.oops))
    inner[1].send(2)
    upstream.send(2)
    #expect(log == ["cancel", "failure(oops)"])
    #expect(recorder.values.isEmpty)
    #expect(inner[0].subscription?.cancellations == 0)
    #expect(inner[2].subscribers.isEmpty)
  }

  @Test func `A cancel goes to the streams, then to upstream, and is the end`() {
    var log: [String] = []
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    for source in inner { source.subscription?.onCancel = { log.append("stream") } }
    upstream.subscription?.onCancel = { log.append("upstream") }
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    upstream.send(2)
    inner[0].send(1)
    inner[0].send(completion: .failure(.oops))
    upstream.send(completion: .finished)
    #expect(log == ["stream", "stream", "upstream"])
    #expect(recorder.events == [.subscription("FlatMap")])
    #expect(inner[2].subscribers.isEmpty)
  }

  @Test func `Subscriptions that come after a cancel are cancelled`() {
    let (upstream, inner) = (Source(subscription: nil), Source(subscription: nil))
    let recorder = Recorder<Int, TestError>()
    upstream.flatMap { _ in inner }.subscribe(recorder)
    upstream.send(0)
    recorder.cancel()
    let late = [ManualSubscription(), ManualSubscription()]
    upstream.send(subscription: late[0])
    inner.send(subscription: late[1])
    #expect(late.allSatisfy { $0.calls == [.cancelled] })
  }

  @Test func `A cancel in the closure leaves the closure's publisher alone`() {
    let recorder = Recorder<Int, TestError>()
    upstream.flatMap { [inner] place in
      recorder.cancel()
      return inner[place]
    }.subscribe(recorder)
    upstream.send(0)
    #expect(inner[0].subscribers.isEmpty)
    #expect(upstream.subscription?.cancellations == 1)
  }

  @Test func `A cancel while a stream is being subscribed to cancels it`() {
    let recorder = Recorder<Int, TestError>()
    inner[0].onSubscribe = { recorder.cancel() }
    subscribe(recorder)
    upstream.send(0)
    inner[0].send(1)
    #expect(inner[0].calls == [.cancelled])
    #expect(recorder.values.isEmpty)
  }

  @Test(arguments: [1, 2, 3])
  func `A cancel during a value's delivery is the end, also for values that wait`(_ point: Int) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onValue = { value in
      if value == point { recorder.cancel() }
      return .none
    }
    subscribe(recorder)
    for place in 0...2 {
      upstream.send(place)
      inner[place].send(place + 1)
    }
    recorder.request(.max(9))
    #expect(recorder.values == Array(1...point))
  }

  @Test func `A finished stream is freed while others go on`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<PassthroughSubject<Int, TestError>, TestError>()
    let recorder = Recorder<Int, TestError>()
    subject.flatMap { $0 }.subscribe(recorder)
    let other = PassthroughSubject<Int, TestError>()
    subject.send(other)
    do {
      let inner = graveyard.watch(PassthroughSubject<Int, TestError>(), "stream")
      subject.send(inner)
      inner.send(1)
      inner.send(completion: .finished)
    }
    #expect(graveyard.survivors.isEmpty)
    other.send(2)
    #expect(recorder.values == [1, 2])
  }

  @Test(arguments: ["cancel", "finish", "upstream fails", "a stream fails"])
  func `Nothing is left when it is over, not even values that wait`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "upstream")
      let streams = (0...1).map { graveyard.watch(PassthroughSubject<Canary, TestError>(), "stream \($0)") }
      let recorder = graveyard.watch(Recorder<Canary, TestError>(demand: nil), "subscriber")
      subject.flatMap { [canary = graveyard.watch(Canary(), "closure")] place in
        withExtendedLifetime(canary) { streams[place] }
      }.subscribe(recorder)
      subject.send(0)
      subject.send(1)
      streams[0].send(graveyard.watch(Canary(), "value"))
      switch end {
      case "cancel": recorder.cancel()
      case "finish":
        subject.send(completion: .finished)
        for stream in streams { stream.send(completion: .finished) }
        recorder.request(.max(1))
      case "upstream fails": subject.send(completion: .failure(.oops))
      default: streams[1].send(completion: .failure(.oops))
      }
      #expect(recorder.completions.count == (end == "cancel" ? 0 : 1))
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Values that wait are freed with the cancel, though the subscription is held`() {
    var graveyard = Graveyard()
    let inner = ManualPublisher<Canary, TestError>()
    let recorder = Recorder<Canary, TestError>(demand: nil)
    upstream.flatMap { _ in inner }.subscribe(recorder)
    upstream.send(0)
    inner.send(graveyard.watch(Canary(), "value"))
    #expect(graveyard.survivors == ["value"])
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(recorder.subscriptions) {}
  }
}
