// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct BufferTests {
  typealias Prefetch = Publishers.PrefetchStrategy

  private func buffer(
    _ source: some Publisher<Int, TestError>, size: Int = 3, _ prefetch: Prefetch = .byRequest
  ) -> Publishers.Buffer<AnyPublisher<Int, TestError>> {
    source.eraseToAnyPublisher().buffer(size: size, prefetch: prefetch, whenFull: .dropNewest)
  }

  @Test(arguments: [Prefetch.keepFull, .byRequest])
  func `Upstream is asked before downstream has its subscription`(_ prefetch: Prefetch) {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    var before: [ManualSubscription.Call] = []
    recorder.onSubscription = { _ in before = source.calls }
    buffer(source, prefetch).subscribe(recorder)
    #expect(before == [.requested(prefetch == .keepFull ? .max(3) : .unlimited)])
  }

  @Test(arguments: [Prefetch.keepFull, .byRequest], [Subscribers.Demand.unlimited, .max(1)])
  func `A synchronous source is delivered in order, and during the request`(
    _ prefetch: Prefetch, _ demand: Subscribers.Demand
  ) {
    let recorder = Recorder<Int, TestError>(demand: nil, answering: demand.isEverything ? .none : .max(1))
    var atReturn = 0
    recorder.onSubscription = { subscription in
      subscription.request(demand)
      atReturn = recorder.values.count
    }
    buffer(Publishers.Sequence(sequence: 1...100), size: 1_000, prefetch).subscribe(recorder)
    #expect(recorder.values == Array(1...100))
    #expect(atReturn == 100)
    #expect(recorder.completions == [.finished])
  }

  @Test func `Values sent during a delivery come after it`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    var depth = 0
    recorder.onValue = { value in
      depth += 1
      #expect(depth == 1)
      if value < 4 { for next in [value * 10, value + 1] { subject.send(next) } }
      depth -= 1
      return .none
    }
    buffer(subject, size: 10).subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 10, 2, 20, 3, 30, 4])
  }

  @Test func `A cancel drops what waits, and stops a delivery at once`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Canary, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onValue = { value in
      recorder.cancel()
      return .max(5)
    }
    source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).map { _ in 1 }.subscribe(recorder)
    for _ in 0..<3 { source.send(graveyard.watch(Canary(), "value")) }
    #expect(graveyard.survivors.count == 3)
    recorder.request(.unlimited)
    #expect(recorder.values == [1])
    #expect(graveyard.survivors.isEmpty)
    source.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
  }

  @Test func `Before the subscription everything is ignored`() {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    buffer(source).subscribe(recorder)
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.events.isEmpty)
    let subscription = ManualSubscription()
    source.send(subscription: subscription)
    source.send(2)
    #expect(subscription.calls == [.requested(.unlimited)])
    #expect(recorder.events == [.subscription("Buffer"), .value(2)])
    let second = ManualSubscription()
    source.send(subscription: second)
    #expect(second.calls == [.cancelled])
  }

  @Test func `A request for nothing is accepted`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: Subscribers.Demand.none)
    buffer(source).subscribe(recorder)
    source.send(1)
    #expect(recorder.values.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1])
  }

  @Test func `An overflow before the first request waits for one, which is served first`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    Publishers.Sequence<ClosedRange<Int>, TestError>(sequence: 1...5)
      .buffer(size: 2, prefetch: .byRequest, whenFull: .customError { .oops })
      .subscribe(recorder)
    #expect(recorder.events == [.subscription("Buffer")])
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `The closure of customError may use its own pipeline`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    var made = 0
    subject.buffer(
      size: 1, prefetch: .byRequest,
      whenFull: .customError {
        made += 1
        if made == 1 { subject.send(9) }
        recorder.request(.max(1))
        return TestError("full \(made)")
      }
    ).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values.first == 1)
    recorder.request(.max(1))
    #expect(recorder.completions.count == 1)
  }

  @Test func `A request from another thread during a delivery returns at once`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { value in
      elsewhere {
        recorder.request(.max(1))
        _ = String(describing: recorder.subscriptions)
        if value == 2 { recorder.cancel() }
      }
      return .none
    }
    buffer(subject).subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    #expect(recorder.values == [1, 2])
  }

  @Test func `It is shown with what it keeps`() throws {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    buffer(source).subscribe(recorder)
    source.send(1)
    source.send(2)
    let shown = try #require(Shown(of: recorder.subscriptions[0]))
    #expect(shown == Shown("Buffer", children: ["values", "state", "downstreamDemand", "terminal"]))
    #expect(Shown(of: source.subscribers[0]) == shown)
    #expect(source.subscribers[0].customMirror.descendant("values") as? [Int] == [1, 2])
    #expect(source.subscribers[0].combineIdentifier == recorder.subscriptions[0].combineIdentifier)
  }

  @Test func `Nothing is left in memory after the end, whatever waited`() {
    for end in ["finish", "failure", "cancel"] {
      var graveyard = Graveyard()
      do {
        let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
        let recorder = graveyard.watch(Recorder<Int, TestError>(demand: .max(2)), "subscriber")
        buffer(subject, size: 2).subscribe(recorder)
        for value in 1...5 { subject.send(value) }
        switch end {
        case "finish":
          subject.send(completion: .finished)
          recorder.request(.max(3))
          #expect(recorder.values == [1, 2, 3, 4])
        case "failure": subject.send(completion: .failure(.oops))
        default: recorder.cancel()
        }
        recorder.releaseSubscriptions()
      }
      #expect(graveyard.survivors.isEmpty, "\(end)")
    }
  }

  @Test func `Strategies compare`() {
    #expect(Set([Prefetch.keepFull, .byRequest, .keepFull]).count == 2)
  }
}

extension Subscribers.Demand {
  fileprivate var isEverything: Bool { self == .unlimited }
}
