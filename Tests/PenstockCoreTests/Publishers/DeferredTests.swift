// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct DeferredTests {
  @Test func `The closure runs once a subscription, when somebody subscribes`() {
    var runs = 0
    let deferred = Deferred { () -> Just<Int> in
      runs += 1
      return Just(runs)
    }
    #expect(runs == 0)
    let first = Recorder<Int, Never>(demand: nil)
    deferred.subscribe(first)
    #expect(runs == 1)
    let second = Recorder<Int, Never>()
    deferred.subscribe(second)
    #expect(runs == 2)
    first.request(.max(1))
    #expect(first.values == [1])
    #expect(second.values == [2])
    #expect(runs == 2)
  }

  @Test func `The subscriber itself goes to the publisher that was made`() {
    let manual = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(3))
    Deferred { manual }.subscribe(recorder)
    #expect(manual.subscribers.map(\.combineIdentifier) == [recorder.combineIdentifier])
    #expect(recorder.subscriptionTexts == ["ManualSubscription"])
    #expect(manual.calls == [.requested(.max(3))])
    #expect(manual.send(1) == .none)
    recorder.cancel()
    #expect(manual.calls == [.requested(.max(3)), .cancelled])
    manual.send(2)
    manual.send(completion: .failure(.oops))
    #expect(recorder.events.suffix(3) == [.value(1), .value(2), .completion(.failure(.oops))])
  }

  @Test func `A subscriber that cancels in the closure's stream may subscribe again`() {
    var made: [ManualPublisher<Int, Never>] = []
    let deferred = Deferred { () -> ManualPublisher<Int, Never> in
      made.append(ManualPublisher())
      return made[made.count - 1]
    }
    let recorder = Recorder<Int, Never>(demand: nil)
    deferred.subscribe(recorder)
    recorder.cancel()
    deferred.subscribe(recorder)
    #expect(made.map(\.calls) == [[.cancelled], []])
  }

  @Test func `Nothing is left of the closure and of what it made`() {
    var graveyard = Graveyard()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let deferred = Deferred { () -> Just<Canary> in Just(canary) }
      deferred.subscribe(graveyard.watch(Recorder<Canary, Never>(), "subscriber"))
    }
    #expect(graveyard.survivors == [])
  }
}
