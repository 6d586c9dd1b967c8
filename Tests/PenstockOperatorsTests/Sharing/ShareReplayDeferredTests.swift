// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// Values that are fed to a replay after a new member has taken its place in it, and before an operator downstream
/// defers the end of the member's introduction.
@Suite struct ShareReplayDeferredTests {
  private typealias Shared = Publishers.ShareReplay<PassthroughSubject<Int, Never>>

  /// An operator with several upstreams, which requests from them when all subscriptions have arrived.
  enum Joining: CaseIterable {
    case none, merge, combineLatest, zip, prefix, drop

    func join(_ stream: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
      let silent = Empty<Int, Never>(completeImmediately: false)
      let numbers = Publishers.Sequence<Range<Int>, Never>(sequence: 0..<100)
      switch self {
      case .none: return stream
      case .merge: return stream.merge(with: silent).eraseToAnyPublisher()
      case .combineLatest: return Just(0).combineLatest(stream) { $1 }.eraseToAnyPublisher()
      case .zip: return stream.zip(numbers) { number, _ in number }.eraseToAnyPublisher()
      case .prefix: return stream.prefix(untilOutputFrom: silent).eraseToAnyPublisher()
      case .drop: return stream.drop(untilOutputFrom: Just(0)).eraseToAnyPublisher()
      }
    }
  }

  private static func shares(_ source: PassthroughSubject<Int, Never>, capacity: Int) -> [Shared] {
    [source.share(replay: capacity), source.shareReplay(capacity: capacity)]
  }

  @Test(arguments: Joining.allCases, [0, 1, 2, 10])
  func `Values that a closure feeds while it is shown the subscription come to the new member`(
    _ joining: Joining, _ capacity: Int
  ) {
    for place in [0, 1] {
      let source = PassthroughSubject<Int, Never>()
      let shared = Self.shares(source, capacity: capacity)[place]
      let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
      shared.subscribe(first)
      for value in 1...3 { source.send(value) }
      let stream = shared.handleEvents(receiveSubscription: { _ in
        for value in 4...8 { source.send(value) }
      })
      joining.join(stream.eraseToAnyPublisher()).subscribe(second)
      source.send(9)
      #expect(first.values == Array(1...9))
      #expect(second.values == Array(1...3).suffix(capacity) + Array(4...9))
    }
  }

  @Test(arguments: Joining.allCases)
  func `An end caused in the closure comes to the new subscriber behind the values`(_ joining: Joining) {
    for place in [0, 1] {
      let source = PassthroughSubject<Int, Never>()
      let shared = Self.shares(source, capacity: 1)[place]
      let recorder = Recorder<Int, Never>()
      shared.subscribe(Recorder())
      for value in 1...3 { source.send(value) }
      let stream = shared.handleEvents(receiveSubscription: { _ in
        for value in 4...6 { source.send(value) }
        source.send(completion: .finished)
      })
      joining.join(stream.eraseToAnyPublisher()).subscribe(recorder)
      #expect(recorder.values == [3, 4, 5, 6])
      #expect(recorder.isFinished || joining == .merge)
    }
  }

  @Test(arguments: Joining.allCases)
  func `A member that asks for few of them gets the others when it asks for more`(_ joining: Joining) {
    for place in [0, 1] {
      let source = PassthroughSubject<Int, Never>()
      let shared = Self.shares(source, capacity: 1)[place]
      let recorder = Recorder<Int, Never>(demand: .max(2))
      shared.subscribe(Recorder())
      source.send(1)
      let stream = shared.handleEvents(receiveSubscription: { _ in
        for value in 2...5 { source.send(value) }
      })
      joining.join(stream.eraseToAnyPublisher()).subscribe(recorder)
      source.send(6)
      if joining != .combineLatest { #expect(recorder.values == [1, 2]) }
      recorder.request(.unlimited)
      source.send(7)
      if joining == .combineLatest {
        #expect(recorder.values.last == 7)
      } else {
        #expect(recorder.values == Array(1...7))
      }
    }
  }

  @Test func `A member that leaves in the closure leaves nothing in memory`() {
    var graveyard = Graveyard()
    do {
      let source = PassthroughSubject<Canary, Never>()
      let shared = source.share(replay: 1)
      let stays = shared.sink { _ in }
      let stream = shared.handleEvents(receiveSubscription: { subscription in
        for _ in 0..<3 { source.send(graveyard.watch(Canary())) }
        subscription.cancel()
        #expect(graveyard.survivors.count == 1)
      })
      let cancellable = stream.merge(with: Empty(completeImmediately: false)).sink { _ in }
      withExtendedLifetime((stays, cancellable)) {}
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
