// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// `share(replay:)`, which counts its subscribers.
@Suite struct ShareReplayCountedTests {
  @Test func `At count zero upstream is cancelled, the replay cleared, and the next one starts anew`() {
    let source = CountedPublisher<Int, Never>()
    let shared = source.share(replay: 2)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: nil))
    shared.subscribe(first)
    source.subject.send(1)
    shared.subscribe(second)
    first.cancel()
    #expect(source.cancelled.value == 0)
    second.cancel()
    #expect((source.subscribed.value, source.cancelled.value) == (1, 1))
    source.subject.send(2)
    let third = Recorder<Int, Never>()
    shared.subscribe(third)
    #expect(source.subscribed.value == 2)
    source.subject.send(3)
    #expect(third.values == [3])
    let fourth = Recorder<Int, Never>()
    shared.subscribe(fourth)
    #expect(fourth.values == [3])
  }

  /// Upstream's end that follows the value is not seen: its subscription, which is known by then, is cancelled.
  @Test(arguments: [false, true])
  func `A subscriber that cancels during the subscription stops upstream only where subscribers are counted`(
    _ isCounted: Bool
  ) {
    var subscriptions = 0
    let upstream = Deferred { () -> Just<Int> in
      subscriptions += 1
      return Just(subscriptions)
    }
    let shared = isCounted ? upstream.share(replay: 1) : upstream.shareReplay(capacity: 1)
    let values = (0..<3).map { _ in
      let recorder = Recorder<Int, Never>()
      shared.first().subscribe(recorder)
      return recorder.values
    }
    #expect(values == (isCounted ? [[1], [2], [3]] : [[1], [1], [1]]))
  }

  @Test func `What was kept is freed at count zero`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Canary, Never>()
    let shared = source.share(replay: 2)
    let cancellable = shared.sink { _ in }
    source.send(graveyard.watch(Canary()))
    #expect(graveyard.survivors.count == 1)
    cancellable.cancel()
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(shared) {}
  }

  @Test func `After upstream's end no subscriber starts it again, even if others cancel`() {
    let source = CountedPublisher<Int, TestError>()
    let shared = source.share(replay: 1)
    let (fast, slow) = (Recorder<Int, TestError>(), Recorder<Int, TestError>(demand: nil))
    shared.subscribe(fast)
    shared.subscribe(slow)
    source.subject.send(1)
    source.subject.send(2)
    source.subject.send(completion: .failure(.oops))
    #expect(fast.completions == [.failure(.oops)])
    slow.cancel()
    #expect(slow.events == [.subscription("ShareReplay")])
    let late = Recorder<Int, TestError>()
    shared.subscribe(late)
    #expect(late.values == [2])
    #expect(late.completions == [.failure(.oops)])
    #expect((source.subscribed.value, source.cancelled.value) == (1, 0))
  }

  @Test func `A cancel at the subscription spares upstream`() {
    let source = CountedPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    let shared = source.share(replay: 1)
    shared.subscribe(recorder)
    #expect(source.subscribed.value == 0)
    shared.subscribe(Recorder())
    #expect(source.subscribed.value == 1)
  }

  @Test func `A cancel while upstream delivers during its subscription stops it`() {
    var delivered: [Int] = []
    let shared = (1...10).publisher.map { $0 }.handleEvents(receiveOutput: { delivered.append($0) }).share(replay: 5)
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 3 { recorder.cancel() }
      return .none
    }
    shared.subscribe(recorder)
    #expect(delivered == [1, 2, 3])
    #expect(recorder.values == [1, 2, 3])
    let next = Recorder<Int, Never>()
    shared.subscribe(next)
    #expect(next.values == Array(1...10))
    #expect(next.isFinished)
  }

  @Test func `A new subscriber during the last one's cancel starts anew`() {
    let source = CountedPublisher<Int, Never>()
    let shared = source.share(replay: 3)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 2 {
        first.cancel()
        shared.subscribe(second)
      }
      return .none
    }
    shared.subscribe(first)
    source.subject.send(1)
    source.subject.send(2)
    source.subject.send(3)
    #expect(first.values == [1, 2])
    #expect(second.values == [3])
    #expect((source.subscribed.value, source.cancelled.value) == (2, 1))
  }

  @Test func `Sinks that come and go on many threads never see a replay of a line that was given up`() {
    for _ in 0..<50 {
      // Each subscription numbers its values from 1, so a subscriber that sees two subscriptions notices it by the
      // numbers.
      let shared = UncheckedBox(OneTwoThree().share(replay: 10))
      let wrong = Locked<[[Int]]>([])
      onThreads(4) { _ in
        for _ in 0..<50 {
          let values = Locked<[Int]>([])
          let cancellable = shared.value.sink { value in values.change { $0.append(value) } }
          cancellable.cancel()
          if !Array(1...3).starts(with: values.value) { wrong.change { $0.append(values.value) } }
        }
      }
      #expect(wrong.value.isEmpty)
    }
  }
}
