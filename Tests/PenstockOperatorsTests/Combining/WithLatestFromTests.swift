// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct WithLatestFromTests {
  private let source = ManualPublisher<Int, TestError>()
  private let other = ManualPublisher<String, TestError>()

  private func subscribe(_ recorder: Recorder<String, TestError>) {
    source.withLatestFrom(other) { "\($0)\($1)" }.subscribe(recorder)
  }

  @Test func `Each value is combined with the other's latest`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    other.send("a")
    source.send(1)
    source.send(2)
    other.send("b")
    other.send("c")
    source.send(3)
    #expect(recorder.values == ["1a", "2a", "3c"])
    #expect(recorder.subscriptionTexts == ["WithLatestFrom"])
  }

  @Test func `Without a closure the other's latest is published`() {
    let recorder = Recorder<String, TestError>()
    source.withLatestFrom(other).subscribe(recorder)
    other.send("a")
    source.send(1)
    source.send(2)
    #expect(recorder.values == ["a", "a"])
  }

  @Test func `The other is subscribed to first, and its current value counts`() {
    let recorder = Recorder<Int, Never>()
    (1...3).publisher.withLatestFrom(CurrentValueSubject<Int, Never>(10)) { $0 + $1 }.subscribe(recorder)
    #expect(recorder.values == [11, 12, 13])
    #expect(recorder.isFinished)
  }

  @Test func `Demand is passed on, and a value that is left out is replaced`() {
    let recorder = Recorder<String, TestError>(demand: .max(2))
    subscribe(recorder)
    #expect(source.calls == [.requested(.max(2))])
    #expect(other.calls == [.requested(.unlimited)])
    #expect(source.send(1) == .max(1))
    other.send("a")
    #expect(source.send(2) == .none)
    recorder.onValue = { _ in .max(3) }
    #expect(source.send(3) == .max(3))
    recorder.request(.max(4))
    #expect(source.subscription?.requests == [.max(2), .max(4)])
    #expect(recorder.values == ["2a", "3a"])
  }

  @Test func `A request during a delivery is passed on`() {
    let recorder = Recorder<String, TestError>(demand: .max(1))
    recorder.onValue = { _ in
      recorder.request(.max(5))
      return .none
    }
    subscribe(recorder)
    other.send("a")
    source.send(1)
    #expect(source.subscription?.requests == [.max(1), .max(5)])
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, Never>(demand: nil)
      PassthroughSubject<Int, Never>().withLatestFrom(Just(1)).subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `Upstream's completion is forwarded and cancels the other`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    other.send("a")
    source.send(completion: completion)
    other.send("b")
    source.send(1)
    #expect(recorder.events == [.subscription("WithLatestFrom"), .completion(completion)])
    #expect(other.calls == [.requested(.unlimited), .cancelled])
    #expect(source.calls == [.requested(.unlimited)])
  }

  @Test func `The other's latest stays in use after it has finished`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    other.send("a")
    other.send(completion: .finished)
    source.send(1)
    #expect(recorder.values == ["1a"])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `The other's end without a value ends the stream`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    other.send(completion: .finished)
    #expect(recorder.completions == [.finished])
    #expect(source.calls == [.requested(.unlimited), .cancelled])
    // Upstream is not even subscribed to if the other ends at once.
    var isSubscribed = false
    source.onSubscribe = { isSubscribed = true }
    source.withLatestFrom(Empty<String, TestError>()).subscribe(Recorder())
    #expect(!isSubscribed)
  }

  @Test(arguments: [true, false])
  func `The other's failure fails the stream`(_ hasValue: Bool) {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    if hasValue { other.send("a") }
    other.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(source.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `A cancel goes to both`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    other.send("a")
    recorder.onValue = { _ in
      recorder.cancel()
      return .max(1)
    }
    source.send(1)
    source.send(2)
    #expect(recorder.values == ["1a"])
    #expect(source.calls == [.requested(.unlimited), .cancelled])
    #expect(other.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `A cancel during the subscription leaves both alone`() {
    var count = 0
    (source.onSubscribe, other.onSubscribe) = ({ count += 1 }, { count += 1 })
    let recorder = Recorder<String, TestError>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    subscribe(recorder)
    #expect(count == 0)
    #expect(recorder.completions.isEmpty)
  }

  @Test func `What the closure sends is handled after its result`() {
    let (source, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = Recorder<Int, Never>()
    source.withLatestFrom(other) { value, latest in
      if value == 1 {
        other.send(20)
        source.send(2)
        source.send(completion: .finished)
      }
      return value + latest
    }.subscribe(recorder)
    other.send(10)
    source.send(1)
    #expect(recorder.values == [11, 22])
    #expect(recorder.isFinished)
  }

  @Test func `A cancel in the closure drops its result`() {
    let (source, other) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(1))
    let recorder = Recorder<Int, Never>()
    source.withLatestFrom(other) { value, latest in
      recorder.cancel()
      return value + latest
    }.subscribe(recorder)
    source.send(1)
    #expect(recorder.values.isEmpty)
  }

  @Test(arguments: ["finish", "cancel", "other fails"])
  func `Nothing is left`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Canary, TestError>(), "upstream")
      let other = graveyard.watch(PassthroughSubject<Canary, TestError>(), "other")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "downstream")
      let canary = graveyard.watch(Canary(), "closure")
      source.withLatestFrom(other) { _, _ in withExtendedLifetime(canary) { 1 } }.subscribe(recorder)
      other.send(graveyard.watch(Canary(), "latest"))
      source.send(graveyard.watch(Canary(), "value"))
      switch end {
      case "finish": source.send(completion: .finished)
      case "cancel": recorder.cancel()
      case "other fails": other.send(completion: .failure(.oops))
      default: break
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `The latest value is freed when it is replaced, and at the end`() {
    var graveyard = Graveyard()
    let (source, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Canary, Never>())
    let recorder = Recorder<Int, Never>()
    source.withLatestFrom(other) { value, _ in value }.subscribe(recorder)
    for number in 1...3 { other.send(graveyard.watch(Canary(), "\(number)")) }
    #expect(graveyard.survivors == ["3"])
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Both sides, requests and a cancel on four threads`() {
    for round in 0..<30 {
      let (source, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Canary, Never>())
      let probe = Recorder<Int, Never>(demand: .max(1))
      source.withLatestFrom(other) { value, _ in value }.subscribe(probe)
      other.send(Canary())
      onThreads([
        {
          for value in 0..<500 { source.send(value) }
          source.send(completion: .finished)
        },
        { for _ in 0..<500 { other.send(Canary()) } },
        { for _ in 0..<300 { probe.request(.max(1)) } },
        { if round.isMultiple(of: 2) { probe.cancel() } },
      ])
      #expect(probe.values.count <= 301)
      #expect(zip(probe.values, probe.values.dropFirst()).allSatisfy { $0 < $1 })
      #expect(!probe.hasOverlapped)
      #expect(probe.completions.count <= 1)
    }
  }
}
