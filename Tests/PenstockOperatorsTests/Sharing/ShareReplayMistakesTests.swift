// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// The mistakes of a `shareReplay` that was published in a tutorial and is often copied.
@Suite struct ShareReplayMistakesTests {
  @Test func `A cancel delivers no completion`() {
    let source = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.shareReplay(capacity: 1).subscribe(recorder)
    source.send(1)
    recorder.cancel()
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription("ShareReplay"), .value(1)])
  }

  @Test func `Subscribers who have cancelled are forgotten`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay(capacity: 1)
    let staying = Recorder<Int, Never>()
    shared.subscribe(staying)
    for _ in 0..<10 {
      let canary = graveyard.watch(Canary())
      let cancellable = shared.sink { _ in withExtendedLifetime(canary) {} }
      source.send(1)
      cancellable.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(staying.values.count == 10)
  }

  @Test func `Upstream is not subscribed to again when all have left`() {
    let source = CountedPublisher<Int, Never>()
    let shared = source.shareReplay(capacity: 1)
    shared.sink { _ in }.cancel()
    source.subject.send(1)
    let recorder = Recorder<Int, Never>()
    shared.subscribe(recorder)
    #expect(source.subscribed.value == 1)
    #expect(source.cancelled.value == 0)
    #expect(recorder.values == [1])
  }

  @Test(arguments: ["finish", "fail"])
  func `Values that have not been asked for survive the completion, which waits behind them`(_ end: String) {
    let source = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.shareReplay(capacity: 1).subscribe(recorder)
    for value in 1...3 { source.send(value) }
    let completion: Subscribers.Completion<TestError> = end == "fail" ? .failure(.oops) : .finished
    source.send(completion: completion)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [completion])
  }

  @Test(arguments: [0, 1, 5])
  func `Values that have not been asked for survive beyond the capacity`(_ capacity: Int) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay(capacity: capacity)
    let slow = Recorder<Int, Never>(demand: nil)
    shared.subscribe(slow)
    for value in 1...100 { source.send(value) }
    let late = Recorder<Int, Never>()
    shared.subscribe(late)
    #expect(late.values == Array((1...100).suffix(capacity)))
    slow.request(.unlimited)
    #expect(slow.values == Array(1...100))
  }

  @Test(arguments: ["value", "completion", "subscription", "replay"])
  func `No lock is held while a subscriber runs`(_ callback: String) {
    let source = PassthroughSubject<Int, TestError>()
    let shared = UncheckedBox(source.shareReplay(capacity: 2))
    shared.value.subscribe(Recorder())
    source.send(0)
    let recorder = Recorder<Int, TestError>(demand: .max(5))
    let other = Recorder<Int, TestError>()
    let calls: @Sendable () -> Void = {
      elsewhere {
        source.send(7)
        shared.value.subscribe(other)
        recorder.request(.max(1))
        _ = String(describing: recorder.subscriptions)
        recorder.cancel()
        source.send(completion: .finished)
      }
    }
    let trigger = callback == "replay" ? 0 : 1
    switch callback {
    case "value", "replay":
      recorder.onValue = { value in
        if value == trigger { calls() }
        return .none
      }
    case "completion": recorder.onCompletion = { _ in calls() }
    default: recorder.onSubscription = { _ in calls() }
    }
    shared.value.subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.oops))
    let values = ["value": [0, 1], "completion": [0, 1], "subscription": [], "replay": [0]]
    #expect(recorder.values == values[callback])
    // The other thread's calls had taken effect when the callback returned.
    #expect(other.values.last == (callback == "completion" ? 1 : 7))
    #expect(other.completions == [callback == "completion" ? .failure(.oops) : .finished])
  }
}
