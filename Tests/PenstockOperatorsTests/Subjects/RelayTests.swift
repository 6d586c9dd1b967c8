// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// The kinds of relays, whose common rules are tested once.
enum RelayKind: CaseIterable, CustomTestStringConvertible {
  case passthrough, currentValue, replay

  var testDescription: String { name }

  var name: String {
    switch self {
    case .passthrough: "PassthroughRelay"
    case .currentValue: "CurrentValueRelay"
    case .replay: "ReplayRelay"
    }
  }

  func make() -> any Relay<Int> & Sendable {
    switch self {
    case .passthrough: PassthroughRelay<Int>()
    case .currentValue: CurrentValueRelay(0)
    case .replay: ReplayRelay<Int>(capacity: 2)
    }
  }
}

@Suite struct RelayTests {
  @Test(arguments: RelayKind.allCases)
  func `Every subscriber gets what is accepted after it came, in order`(_ kind: RelayKind) {
    let relay = kind.make()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    relay.subscribe(first)
    for value in 1...3 { relay.accept(value) }
    relay.subscribe(second)
    relay.accept(4)
    #expect(first.values.filter { $0 > 0 } == [1, 2, 3, 4])
    #expect(second.values == (kind == .passthrough ? [] : kind == .currentValue ? [3] : [2, 3]) + [4])
    #expect(first.subscriptionTexts == [kind.name])
    for recorder in [first, second] { recorder.cancel() }
  }

  @Test(arguments: RelayKind.allCases)
  func `Demand is counted for each subscriber`(_ kind: RelayKind) {
    let relay = kind.make()
    let recorder = Recorder<Int, Never>(demand: .max(2))
    relay.subscribe(recorder)
    for value in 1...5 { relay.accept(value) }
    #expect(recorder.values.count == 2)
    recorder.request(.max(1))
    switch kind {
    case .passthrough: #expect(recorder.values == [1, 2])
    case .currentValue: #expect(recorder.values == [0, 1, 5])
    case .replay: #expect(recorder.values == [1, 2, 3])
    }
    #expect(recorder.complaints.isEmpty)
    recorder.cancel()
  }

  /// A peer's relay finishes with the first publisher that it is bound to.
  @Test(arguments: RelayKind.allCases)
  func `A publisher that ends leaves the relay open`(_ kind: RelayKind) {
    let relay = kind.make()
    let recorder = Recorder<Int, Never>()
    relay.subscribe(recorder)
    let finished = feed([1, 2].publisher, relay)
    let empty = feed(Empty<Int, Never>(), relay)
    let other = feed([3].publisher, relay)
    relay.accept(4)
    #expect(recorder.values.filter { $0 > 0 } == [1, 2, 3, 4] && recorder.completions.isEmpty)
    for cancellable in [finished, empty, other] { cancellable.cancel() }
    relay.accept(5)
    #expect(recorder.values.last == 5)
    recorder.cancel()
  }

  private func feed<R: Relay<Int>>(_ publisher: some Publisher<Int, Never>, _ relay: R) -> AnyCancellable {
    publisher.subscribe(relay)
  }

  private func loop<R: Relay<Int>>(_ relay: R) -> AnyCancellable { relay.filter { $0 < 0 }.subscribe(relay) }

  @Test(arguments: RelayKind.allCases)
  func `A subscription that feeds it asks for everything, and ends with its cancellable`(_ kind: RelayKind) {
    let relay = kind.make()
    let recorder = Recorder<Int, Never>()
    relay.subscribe(recorder)
    let publisher = ManualPublisher<Int, Never>()
    let cancellable = feed(publisher, relay)
    #expect(publisher.calls == [.requested(.unlimited)])
    publisher.send(1)
    cancellable.cancel()
    publisher.send(2)
    #expect(recorder.values.filter { $0 > 0 } == [1] && publisher.subscription?.cancellations == 1)
    recorder.cancel()
  }

  @Test func `A present value waits until a relay that keeps none has a subscriber that asks`() {
    let source = CurrentValueSubject<Int, Never>(1)
    let relay = PassthroughRelay<Int>()
    let cancellable = source.subscribe(relay)
    let recorder = Recorder<Int, Never>(demand: nil)
    relay.subscribe(recorder)
    source.send(2)
    recorder.request(.unlimited)
    #expect(recorder.values == [2])
    let sunk = Locked<[Int]>([])
    let sink = relay.sink { value in sunk.change { $0.append(value) } }
    source.send(3)
    #expect(recorder.values == [2, 3] && sunk.value == [3])
    for cancellable in [cancellable, sink] { cancellable.cancel() }
    recorder.cancel()
  }

  @Test func `A present value waits for the first sink of a relay, as for that of a subject`() {
    let source = CurrentValueSubject<Int, Never>(1)
    let (relay, subject) = (PassthroughRelay<Int>(), PassthroughSubject<Int, Never>())
    let feeding = [source.subscribe(relay), source.subscribe(subject)]
    var (fromRelay, fromSubject): ([Int], [Int]) = ([], [])
    let sinks = [relay.sink { fromRelay.append($0) }, subject.sink { fromSubject.append($0) }]
    #expect(fromRelay == [1] && fromSubject == [1])
    for cancellable in feeding + sinks { cancellable.cancel() }
  }

  @Test(arguments: RelayKind.allCases)
  func `A relay that keeps values asks at once, and one that keeps none as soon as a subscriber does`(
    _ kind: RelayKind
  ) {
    let relay = kind.make()
    let publishers = (0..<2).map { _ in ManualPublisher<Int, Never>() }
    let feeding = publishers.map { feed($0, relay) }
    for publisher in publishers { #expect(publisher.calls == (kind == .passthrough ? [] : [.requested(.unlimited)])) }
    let recorders = (0..<2).map { _ in Recorder<Int, Never>(demand: nil) }
    for recorder in recorders {
      relay.subscribe(recorder)
      recorder.request(.max(1))
      for publisher in publishers { #expect(publisher.calls == [.requested(.unlimited)]) }
    }
    for cancellable in feeding { cancellable.cancel() }
    for recorder in recorders { recorder.cancel() }
  }

  @Test(arguments: ["cancel", "finish"])
  func `A subscription that has not asked is over at its end`(_ end: String) {
    var graveyard = Graveyard()
    let publisher = ManualPublisher<Int, Never>()
    var cancellable: AnyCancellable?
    do {
      let relay = graveyard.watch(PassthroughRelay<Int>(), "relay")
      cancellable = publisher.subscribe(relay)
    }
    #expect(graveyard.survivors == ["relay"])
    if end == "cancel" { cancellable?.cancel() } else { publisher.send(completion: .finished) }
    #expect(graveyard.survivors.isEmpty)
    #expect(publisher.calls == (end == "cancel" ? [.cancelled] : []))
    publisher.send(1)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A cancel before the subscription of a publisher that feeds a relay is remembered`() {
    let publisher = ManualPublisher<Int, Never>(subscription: nil)
    let cancellable = publisher.subscribe(PassthroughRelay<Int>())
    cancellable.cancel()
    let subscription = ManualSubscription()
    publisher.send(subscription: subscription)
    #expect(subscription.calls == [.cancelled])
  }

  /// A user's own relay.
  private final class OwnRelay: Relay {
    typealias Output = Int
    typealias Failure = Never

    private let base = PassthroughRelay<Int>()
    func accept(_ value: Int) { base.accept(value) }
    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { base.subscribe(subscriber) }
  }

  @Test func `A relay of another kind is fed at once`() {
    let publisher = ManualPublisher<Int, Never>()
    let cancellable = publisher.subscribe(OwnRelay())
    #expect(publisher.calls == [.requested(.unlimited)])
    cancellable.cancel()
  }

  /// A peer's relays leak.
  @Test(arguments: RelayKind.allCases)
  func `Neither relay, subscribers nor sources are left`(_ kind: RelayKind) {
    var graveyard = Graveyard()
    do {
      let relay = kind.make()
      _ = graveyard.watch(relay as AnyObject, "relay")
      let source = graveyard.watch(PassthroughSubject<Int, Never>(), "source")
      let feeding = feed(source, relay)
      let recorder = graveyard.watch(Recorder<Int, Never>(), "recorder")
      relay.subscribe(recorder)
      source.send(1)
      // A loop from the relay to itself ends with its cancellable.
      let loop = loop(relay)
      recorder.dismiss()
      feeding.cancel()
      loop.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: RelayKind.allCases)
  func `A subscription keeps the relay alive until it is cancelled`(_ kind: RelayKind) {
    var graveyard = Graveyard()
    let recorder = Recorder<Int, Never>()
    do {
      let relay = kind.make()
      _ = graveyard.watch(relay as AnyObject, "relay")
      relay.subscribe(recorder)
    }
    #expect(graveyard.survivors == ["relay"] && recorder.completions.isEmpty)
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: RelayKind.allCases)
  func `What several threads accept reaches all subscribers in one order, without overlaps`(_ kind: RelayKind) {
    let relay = kind.make()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    for recorder in [first, second] { relay.subscribe(recorder) }
    onThreads(4) { thread in
      for number in 1...1_000 { relay.accept(thread * 10_000 + number) }
    }
    #expect(first.values.filter { $0 > 0 }.count == 4_000 && first.values == second.values)
    #expect(!first.hasOverlapped && !second.hasOverlapped)
    for recorder in [first, second] { recorder.cancel() }
  }

  @Test(arguments: RelayKind.allCases)
  func `What a sink captures is released when it is cancelled, though the relay is alive`(_ kind: RelayKind) {
    func check(_ relay: some Relay<Int>) {
      var graveyard = Graveyard()
      var values: [Int] = []
      var cancellable: AnyCancellable?
      do {
        let (value, map) = (graveyard.watch(Canary(), "value"), graveyard.watch(Canary(), "map"))
        cancellable = relay.map { value in withExtendedLifetime(map) { value } }.sink { number in
          withExtendedLifetime(value) { values.append(number) }
          if number == 2 { cancellable?.cancel() }
        }
      }
      (1...3).forEach(relay.accept)
      #expect(values.filter { $0 > 0 } == [1, 2])
      #expect(graveyard.survivors.isEmpty)
    }
    check(kind.make())
  }

  @Test func `A current value can be read and set`() {
    let relay = CurrentValueRelay(1)
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      #expect(relay.value == value)
      return .none
    }
    relay.subscribe(recorder)
    relay.value += 1
    relay.accept(5)
    #expect(relay.value == 5 && recorder.values == [1, 2, 5])
    recorder.cancel()
  }

  @Test func `A relay of nothing accepts nothing`() {
    let relay = PassthroughRelay<Void>()
    let count = Locked(0)
    let cancellable = relay.sink { count.change { $0 += 1 } }
    relay.accept()
    #expect(count.value == 1)
    cancellable.cancel()
  }
}
