// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct ShareReplayMemoryTests {
  enum Moment: String, CaseIterable, Sendable { case before, during, after }

  @Test(arguments: Moment.allCases, [true, false])
  func `Nothing is left when the publisher and its subscribers are gone`(_ moment: Moment, _ isCounted: Bool) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Canary, TestError>(), "source")
      var cancellables: [AnyCancellable] = []
      do {
        let shared = graveyard.watch(
          isCounted ? source.share(replay: 2) : source.shareReplay(capacity: 2), "publisher")
        if moment != .before {
          for _ in 0..<2 {
            let canary = graveyard.watch(Canary(), "closure")
            shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
              .store(in: &cancellables)
          }
          // A subscriber that never requests, and that nothing else references.
          let slow = graveyard.watch(Recorder<Canary, TestError>(demand: nil), "slow")
          shared.subscribe(slow)
          slow.onSubscription = nil
          cancellables.append(AnyCancellable { slow.cancel() })
          for _ in 0..<5 { source.send(graveyard.watch(Canary(), "value")) }
          if moment == .after { source.send(completion: .finished) }
        }
      }
      #expect(graveyard.survivors.contains("publisher") == (moment != .before))
      cancellables = []
      #expect(graveyard.survivors == ["source"])
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Upstream is cancelled when the publisher and its last subscriber are gone, and not before`() {
    let source = CountedPublisher<Int, Never>()
    var shared: Publishers.ShareReplay<CountedPublisher<Int, Never>>? = source.shareReplay(capacity: 1)
    let (first, second) = (shared?.sink { _ in }, shared?.sink { _ in })
    shared = nil
    first?.cancel()
    #expect(source.cancelled.value == 0)
    second?.cancel()
    #expect(source.cancelled.value == 1)

    var kept: Publishers.ShareReplay<CountedPublisher<Int, Never>>? = source.shareReplay(capacity: 1)
    kept?.sink { _ in }.cancel()
    #expect(source.cancelled.value == 1)
    kept = nil
    #expect(source.cancelled.value == 2)
    #expect(source.subscribed.value == 2)
  }

  @Test func `A publisher that is dropped without a subscriber leaves upstream alone`() {
    let publisher = ManualPublisher<Int, Never>()
    do { _ = publisher.shareReplay() }
    #expect(publisher.subscribers.isEmpty)
    #expect(publisher.calls.isEmpty)
  }

  @Test func `What is no longer needed is freed`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Canary, Never>()
    let shared = source.shareReplay(capacity: 2)
    let slow = Recorder<Canary, Never>(demand: nil)
    var cancellable: AnyCancellable? = shared.sink { _ in }
    // It keeps no value itself, and requests none.
    let stalled = AnySubscriber<Canary, Never>(receiveSubscription: { slow.receive(subscription: $0) })
    shared.subscribe(stalled)
    for number in 1...10 { source.send(graveyard.watch(Canary(), "\(number)")) }
    #expect(graveyard.survivors.count == 10)
    slow.request(.max(4))
    #expect(graveyard.survivors == (5...10).map { "\($0)" })
    slow.cancel()
    #expect(graveyard.survivors == ["9", "10"])
    source.send(completion: .finished)
    cancellable = nil
    #expect(graveyard.survivors == ["9", "10"])
    _ = cancellable
  }

  @Test func `A hundred thousand subscribers come and go`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay(capacity: 2)
    var sum = 0
    var cancellables = (0..<100_000).map { _ in shared.sink { sum += $0 } }
    source.send(1)
    #expect(sum == 100_000)
    // Half of them are removed from the front, and the rest from the back.
    cancellables.removeFirst(50_000)
    source.send(1)
    #expect(sum == 150_000)
    while cancellables.popLast() != nil {}
    source.send(1)
    #expect(sum == 150_000)
    // Slow subscribers, all of which wait for the same value.
    var recorders = (0..<100_000).map { _ in Recorder<Int, Never>(demand: nil) }
    for recorder in recorders { shared.subscribe(recorder) }
    for _ in 0..<10 { source.send(1) }
    for recorder in recorders { recorder.cancel() }
    recorders = []
    let last = Recorder<Int, Never>()
    shared.subscribe(last)
    #expect(last.values == [1, 1])
  }

  @Test func `A value that sends when it is freed does no harm`() {
    final class Sender {
      let onFree: () -> Void
      init(_ onFree: @escaping () -> Void) { self.onFree = onFree }
      deinit { onFree() }
    }
    let source = PassthroughSubject<Sender?, Never>()
    let shared = source.shareReplay(capacity: 1)
    var count = 0
    let cancellable = shared.sink { _ in count += 1 }
    for _ in 0..<5 { source.send(Sender { source.send(nil) }) }
    source.send(nil)
    #expect(count == 11)
    cancellable.cancel()
  }

  /// A value that cancels subscriptions when it is deinitialised.
  private final class Closing: Sendable {
    private let subscriptions: UncheckedBox<[any Subscription]>

    init(_ subscriptions: [any Subscription]) { self.subscriptions = UncheckedBox(subscriptions) }

    deinit {
      for subscription in subscriptions.value { subscription.cancel() }
    }
  }

  @Test(arguments: [true, false])
  func `A queued value whose deinit cancels all subscriptions leaves nothing in memory`(_ isCounted: Bool) {
    var graveyard = Graveyard()
    let source = UncheckedBox(PassthroughSubject<Closing?, Never>())
    let recorders = (0..<2).map { _ in Recorder<Bool, Never>() }
    do {
      // Nothing is replayed, so that the value is deinitialised where it was queued, as the last signal.
      let shared = graveyard.watch(isCounted ? source.value.share(replay: 0) : source.value.shareReplay(capacity: 0))
      recorders[0].onValue = { isClosing in
        guard !isClosing else { return .none }
        let all = UncheckedBox(recorders.flatMap(\.subscriptions))
        elsewhere { source.value.send(Closing(all.value)) }
        return .none
      }
      for recorder in recorders { shared.map { $0 != nil }.subscribe(recorder) }
      source.value.send(nil)
      #expect(recorders[0].values == [false, true])
    }
    for recorder in recorders {
      recorder.onValue = nil
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
