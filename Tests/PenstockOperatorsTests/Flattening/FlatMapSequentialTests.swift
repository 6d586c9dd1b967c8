// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct FlatMapSequentialTests {
  private let source = ManualPublisher<Int, TestError>()
  private let inner = (0..<4).map { _ in ManualPublisher<String, TestError>() }

  private func subscribe(
    _ recorder: Recorder<String, TestError>, maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 2
  ) {
    source.flatMapSequential(maxPublishers: maxPublishers, prefetch: prefetch) { [inner] in inner[$0] }
      .subscribe(recorder)
  }

  @Test func `Publishers run at the same time, and are delivered in order`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    (0..<3).forEach { source.send($0) }
    inner[2].send("c1")
    inner[1].send("b1")
    inner[0].send("a1")
    #expect(recorder.values == ["a1"])
    inner[1].send("b2")
    inner[1].send(completion: .finished)
    inner[0].send("a2")
    #expect(recorder.values == ["a1", "a2"])
    inner[0].send(completion: .finished)
    #expect(recorder.values == ["a1", "a2", "b1", "b2", "c1"])
    inner[2].send("c2")
    #expect(recorder.values.last == "c2")
    source.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    inner[2].send(completion: .finished)
    #expect(recorder.isFinished)
    #expect(recorder.subscriptionTexts == ["FlatMapSequential"])
  }

  @Test func `Each publisher is requested so many in advance, and one for each that is delivered`() {
    let recorder = Recorder<String, TestError>(demand: .max(1))
    subscribe(recorder, maxPublishers: .max(2))
    #expect(source.calls == [.requested(.max(2))])
    source.send(0)
    source.send(1)
    #expect(inner[0].calls == [.requested(.max(2))])
    #expect(inner[1].calls == [.requested(.max(2))])
    #expect(inner[1].send("b1") == .none)
    #expect(inner[1].send("b2") == .none)
    #expect(inner[0].send("a1") == .max(1))
    #expect(inner[0].send("a2") == .none)
    inner[0].send(completion: .finished)
    #expect(recorder.values == ["a1"])
    // The first publisher's values have not all been delivered.
    #expect(source.calls.count == 1)
    recorder.request(.max(2))
    #expect(recorder.values == ["a1", "a2", "b1"])
    #expect(source.calls == [.requested(.max(2)), .requested(.max(1))])
    #expect(inner[1].calls == [.requested(.max(2)), .requested(.max(1))])
  }

  @Test func `Without demand publishers that finish empty are passed over, and the end comes`() {
    let recorder = Recorder<String, TestError>(demand: nil)
    subscribe(recorder)
    (0..<2).forEach { source.send($0) }
    inner[1].send(completion: .finished)
    source.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    inner[0].send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `A request during a delivery is served after it, in order`() {
    let recorder = Recorder<String, TestError>(demand: .max(1))
    subscribe(recorder, prefetch: 4)
    source.send(0)
    source.send(1)
    inner[1].send("b")
    inner[1].send(completion: .finished)
    recorder.onValue = { [inner] value in
      if value == "a1" {
        inner[0].send("a2")
        inner[0].send(completion: .finished)
        recorder.request(.max(2))
      }
      return .none
    }
    inner[0].send("a1")
    #expect(recorder.values == ["a1", "a2", "b"])
  }

  @Test func `A value that the closure causes upstream to send comes behind`() {
    let source = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.flatMapSequential { value in
      if value == 1 { source.send(2) }
      return Just(value)
    }.subscribe(recorder)
    source.send(1)
    #expect(recorder.values == [1, 2])
  }

  @Test(arguments: [true, false])
  func `It finishes if upstream does while a publisher that delivers at once is made, or delivers`(_ isMade: Bool) {
    let source = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { _ in
      if !isMade { source.send(completion: .finished) }
      return .none
    }
    source.flatMapSequential { value in
      if isMade { source.send(completion: .finished) }
      return Just(value)
    }.subscribe(recorder)
    source.send(1)
    #expect(recorder.values == [1])
    #expect(recorder.isFinished)
  }

  @Test(arguments: [true, false])
  func `A failure of any is forwarded at once, and cancels the others`(_ isInner: Bool) {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    source.send(0)
    source.send(1)
    inner[1].send("waits")
    if isInner { inner[1].send(completion: .failure(.oops)) } else { source.send(completion: .failure(.oops)) }
    #expect(recorder.values.isEmpty)
    #expect(recorder.completions == [.failure(.oops)])
    #expect(inner[0].subscription?.cancellations == 1)
    #expect(source.subscription?.cancellations == (isInner ? 1 : 0))
  }

  @Test func `A cancel goes to all`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    source.send(0)
    source.send(1)
    inner[1].send("waits")
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    inner[0].send("a")
    inner[0].send("b")
    inner[0].send(completion: .finished)
    #expect(recorder.values == ["a"])
    #expect(recorder.completions.isEmpty)
    #expect(source.subscription?.cancellations == 1)
    #expect(inner[0].subscription?.cancellations == 1)
    #expect(inner[1].subscription?.cancellations == 1)
  }

  @Test(arguments: ["prefetch", "maxPublishers"])
  func `A number below one traps`(_ which: String) async {
    let result: ExitTest.Result?
    if which == "prefetch" {
      result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).flatMapSequential(prefetch: 0) { Just($0) }
      }
    } else {
      result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).flatMapSequential(maxPublishers: .none) { Just($0) }
      }
    }
    expectMessage(result, "flatMapSequential")
  }

  @Test func `A hundred thousand publishers that deliver at once do not overflow the stack`() {
    for maxPublishers in [Subscribers.Demand.unlimited, .max(1), .max(3)] {
      let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
      (0..<100_000).publisher.flatMapSequential(maxPublishers: maxPublishers) { Just($0) }.subscribe(recorder)
      #expect(recorder.values == Array(0..<100_000))
      #expect(recorder.isFinished)
    }
  }

  @Test(arguments: ["finish", "cancel", "fail"])
  func `Nothing is left`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Int, TestError>(), "upstream")
      let inner = (0..<2).map { graveyard.watch(PassthroughSubject<Canary, TestError>(), "inner \($0)") }
      let recorder = graveyard.watch(Recorder<Canary, TestError>(demand: nil), "downstream")
      source.flatMapSequential { inner[$0] }.subscribe(recorder)
      source.send(0)
      source.send(1)
      inner[0].send(graveyard.watch(Canary(), "waiting"))
      inner[1].send(graveyard.watch(Canary(), "waiting behind"))
      switch end {
      case "finish":
        inner.forEach { $0.send(completion: .finished) }
        source.send(completion: .finished)
        recorder.cancel()
      case "cancel": recorder.cancel()
      default: inner[1].send(completion: .failure(.oops))
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Publishers on several threads are delivered in order`() {
    for round in 0..<50 {
      let inner = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
      let recorder = Recorder<Int, Never>(demand: round.isMultiple(of: 2) ? .unlimited : .max(1), answering: .max(1))
      (0..<4).publisher.flatMapSequential(prefetch: 1_000) { inner[$0] }.subscribe(recorder)
      onThreads(4) { thread in
        for value in 0..<100 { inner[thread].send(thread * 1_000 + value) }
        inner[thread].send(completion: .finished)
      }
      #expect(recorder.values == (0..<4).flatMap { thread in (0..<100).map { thread * 1_000 + $0 } })
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
    }
  }
}
