// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A publisher that keeps its subscriber, and delivers to it whatever the subscriber has cancelled, until it is told to
/// release it.
private final class Clinging: Publisher, Subscription, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Never

  // `@unchecked`: a test calls `receive(subscriber:)` before it makes its threads.
  private(set) var subscriber: AnySubscriber<Int, Never>?
  let cancels = Locked(0)

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: self)
  }

  func letGo() { subscriber = nil }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() { cancels.change { $0 += 1 } }
}

/// An operator of `flatMap`'s kind upstream of a sink.
private struct Flattening: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let sink:
    @Sendable (
      Clinging, Canary, Canary, @escaping (Subscribers.Completion<Never>) -> Void, @escaping (Int) -> Void
    ) -> AnyCancellable

  private static func attach<P: Publisher<Int, Never>>(
    _ publisher: P, _ canary: Canary, _ onEnd: @escaping (Subscribers.Completion<Never>) -> Void,
    _ onValue: @escaping (Int) -> Void
  ) -> AnyCancellable {
    // Not in these closures: they belong to the operators, which upstream keeps.
    publisher.map { value in value }.filter { $0 >= 0 }.sink(
      receiveCompletion: { completion in withExtendedLifetime(canary) { onEnd(completion) } },
      receiveValue: { value in withExtendedLifetime(canary) { onValue(value) } })
  }

  static let all = [
    Flattening("flatMap to Just") { source, canary, sunk, onEnd, onValue in
      attach(source.flatMap { value in withExtendedLifetime(canary) { Just(value) } }, sunk, onEnd, onValue)
    },
    Flattening("flatMap to subscriptions") { source, canary, sunk, onEnd, onValue in
      attach(
        source.flatMap { value in withExtendedLifetime(canary) { [value].publisher.prefix(1).print("", to: Nowhere()) }
        },
        sunk, onEnd, onValue)
    },
    Flattening("flatMap, one at a time") { source, canary, sunk, onEnd, onValue in
      attach(
        source.flatMap(maxPublishers: .max(1)) { value in withExtendedLifetime(canary) { Just(value) } }, sunk, onEnd,
        onValue)
    },
    Flattening("switchToLatest") { source, canary, sunk, onEnd, onValue in
      attach(
        source.map { value in withExtendedLifetime(canary) { Just(value) } }.switchToLatest(), sunk, onEnd, onValue)
    },
  ]

  private init(
    _ name: String,
    _ sink:
      @escaping @Sendable (
        Clinging, Canary, Canary, @escaping (Subscribers.Completion<Never>) -> Void, @escaping (Int) -> Void
      ) -> AnyCancellable
  ) {
    testDescription = name
    self.sink = sink
  }
}

private struct Nowhere: TextOutputStream {
  mutating func write(_ text: String) {}
}

@Suite struct FlatteningSinkTests {
  @Test(arguments: Flattening.all)
  private func
    `After a cancel nothing is delivered, though upstream keeps the operator, and what a sink captures is freed with that`(
      _ flattening: Flattening
    )
  {
    for isRelease in [false, true] {
      var graveyard = Graveyard()
      let source = Clinging()
      var values: [Int] = []
      var cancellable: AnyCancellable? = {
        let sunk = graveyard.watch(Canary())
        return flattening.sink(source, Canary(), sunk, { _ in Issue.record("An end") }) { values.append($0) }
      }()
      _ = source.subscriber?.receive(1)
      #expect(graveyard.survivors.count == 1)
      if isRelease { cancellable = nil } else { cancellable?.cancel() }
      #expect(source.cancels.value == 1)
      _ = source.subscriber?.receive(2)
      source.subscriber?.receive(completion: .finished)
      #expect(values == [1])
      source.letGo()
      #expect(graveyard.survivors.isEmpty)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test(arguments: Flattening.all)
  private func
    `After the end nothing is delivered, and what a sink captures is freed though what sink has returned is kept`(
      _ flattening: Flattening
    )
  {
    var graveyard = Graveyard()
    let source = Clinging()
    var values: [Int] = []
    var ends = 0
    let cancellable: AnyCancellable = {
      let sunk = graveyard.watch(Canary())
      return flattening.sink(source, Canary(), sunk, { _ in ends += 1 }) { values.append($0) }
    }()
    _ = source.subscriber?.receive(1)
    source.subscriber?.receive(completion: .finished)
    _ = source.subscriber?.receive(2)
    source.subscriber?.receive(completion: .finished)
    source.letGo()
    #expect(graveyard.survivors.isEmpty)
    cancellable.cancel()
    #expect(values == [1])
    #expect(ends == 1)
    #expect(source.cancels.value == 0)
  }

  @Test(arguments: Flattening.all)
  private func `A sink that cancels in a value keeps what it captures until it returns, and gets nothing more`(
    _ flattening: Flattening
  ) {
    var graveyard = Graveyard()
    let source = Clinging()
    var cancellable: AnyCancellable?
    var values: [Int] = []
    do {
      let sunk = graveyard.watch(Canary())
      weak let alive = sunk
      cancellable = flattening.sink(source, Canary(), sunk, { _ in Issue.record("An end") }) {
        values.append($0)
        cancellable?.cancel()
        cancellable = nil
        #expect(alive != nil)
      }
    }
    _ = source.subscriber?.receive(1)
    _ = source.subscriber?.receive(2)
    #expect(values == [1])
    source.letGo()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: Flattening.all)
  private func `One thread cancels while another delivers: nothing is delivered long after, and nothing is kept`(
    _ flattening: Flattening
  ) {
    for _ in 1...100 {
      var graveyard = Graveyard()
      let source = Clinging()
      let hasCancelled = Locked(false)
      let late = Locked(0)
      let ends = Locked(0)
      let cancellable: AnyCancellable = {
        let sunk = graveyard.watch(Canary())
        return flattening.sink(source, Canary(), sunk, { _ in ends.change { $0 += 1 } }) { _ in
          if hasCancelled.value { late.change { $0 += 1 } }
        }
      }()
      onThreads(2) { thread in
        if thread == 0 {
          for value in 1...50 { _ = source.subscriber?.receive(value) }
          source.subscriber?.receive(completion: .finished)
        } else {
          cancellable.cancel()
          hasCancelled.change { $0 = true }
        }
      }
      #expect(late.value <= 1)
      #expect(ends.value <= 1)
      source.letGo()
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `A stream that ends before sink has returned leaves nothing behind`() {
    var graveyard = Graveyard()
    var events: [String] = []
    let cancellable: AnyCancellable = {
      let canary = graveyard.watch(Canary())
      return [1, 2].publisher.flatMap { [$0, $0 * 10].publisher }
        .map { value in withExtendedLifetime(canary) { value } }
        .sink(receiveCompletion: { events.append("\($0)") }) { events.append("\($0)") }
    }()
    #expect(events == ["1", "10", "2", "20", "finished"])
    #expect(graveyard.survivors.isEmpty)
    cancellable.cancel()
  }

  @Test func `A sink below share leaves once, and upstream is cancelled with the last`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, Never>()
    var cancels = 0
    let shared = subject.handleEvents(receiveCancel: { cancels += 1 }).share()
    var values: [[Int]] = [[], [], []]
    let cancellables = (0..<3).map { number in
      let canary = graveyard.watch(Canary())
      return shared.map { value in withExtendedLifetime(canary) { value } }.sink { values[number].append($0) }
    }
    subject.send(1)
    cancellables[0].cancel()
    cancellables[0].cancel()
    subject.send(2)
    cancellables[1].cancel()
    #expect(graveyard.survivors.count == 1)
    #expect(cancels == 0)
    subject.send(3)
    cancellables[2].cancel()
    #expect(cancels == 1)
    #expect(graveyard.survivors.isEmpty)
    subject.send(4)
    #expect(values == [[1], [1, 2], [1, 2, 3]])
    // It connects once more.
    let again = shared.sink { values[0].append($0) }
    subject.send(5)
    #expect(values[0] == [1, 5])
    withExtendedLifetime(again) {}
  }

  @Test func `A sink that joins in a delivery of share, and one that comes after the end`() {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share()
    var events: [String] = []
    var kept: Set<AnyCancellable> = []
    shared.sink { value in
      events.append("first \(value)")
      guard value == 1 else { return }
      shared.sink(receiveCompletion: { _ in events.append("second end") }) { events.append("second \($0)") }
        .store(in: &kept)
    }.store(in: &kept)
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    shared.sink(receiveCompletion: { _ in events.append("third end") }) { events.append("third \($0)") }
      .store(in: &kept)
    #expect(events == ["first 1", "first 2", "second 2", "second end", "third end"])
  }
}
