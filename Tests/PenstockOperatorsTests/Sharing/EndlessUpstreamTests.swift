// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// Operators that share an upstream that delivers at once and has no end: the loop ends when the last subscriber has
/// cancelled, which happens while upstream is being subscribed to.
@Suite struct EndlessUpstreamTests {
  /// An upstream whose values are never requested to the end: it gives up, so that a mistake is a failure and not a
  /// hang.
  private final class Numbers: Sequence, IteratorProtocol {
    static let most = 10_000
    private(set) var count = 0
    /// How often it has been begun.
    private(set) var beginnings = 0
    private var number = 0

    func makeIterator() -> Numbers {
      beginnings += 1
      number = 0
      return self
    }

    func next() -> Int? {
      count += 1
      number += 1
      return count > Self.most ? nil : number
    }

    var publisher: AnyPublisher<Int, Never> {
      Deferred { Publishers.Sequence<Numbers, Never>(sequence: self) }.eraseToAnyPublisher()
    }
  }

  /// A user's own publisher, which only passes signals on.
  private struct PassedOn<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure
    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(subscriber)
    }
  }

  /// A user's own subject.
  private final class ForeignSubject: Subject {
    typealias Output = Int
    typealias Failure = Never

    private let base = PassthroughSubject<Int, Never>()

    func send(_ value: Int) { base.send(value) }
    func send(completion: Subscribers.Completion<Never>) { base.send(completion: completion) }
    func send(subscription: any Subscription) { subscription.request(.unlimited) }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { base.subscribe(subscriber) }
  }

  struct Sharing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let share: @Sendable (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>

    fileprivate init(
      _ name: String, _ share: @escaping @Sendable (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>
    ) {
      testDescription = name
      self.share = share
    }
  }

  static let sharings: [Sharing] = [
    Sharing("share") { $0.share().eraseToAnyPublisher() },
    Sharing("share, erased twice") { $0.share().eraseToAnyPublisher().filter { _ in true }.eraseToAnyPublisher() },
    Sharing("share, between publishers of a user's") {
      PassedOn(upstream: PassedOn(upstream: $0).share()).eraseToAnyPublisher()
    },
    Sharing("makeConnectable") { $0.makeConnectable().autoconnect().eraseToAnyPublisher() },
    Sharing("makeConnectable, between publishers of a user's") {
      PassedOn(upstream: PassedOn(upstream: $0).makeConnectable().autoconnect()).eraseToAnyPublisher()
    },
    Sharing("multicast") { $0.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher() },
    Sharing("multicast, of a current value") {
      // Without the current value, which is the last value that was shared before.
      $0.multicast { CurrentValueSubject(0) }.autoconnect().dropFirst().eraseToAnyPublisher()
    },
    Sharing("multicast, through a subject of a user's") {
      $0.multicast(subject: ForeignSubject()).autoconnect().eraseToAnyPublisher()
    },
    Sharing("autoconnect(atLeast:)") { $0.makeConnectable().autoconnect(atLeast: 1).eraseToAnyPublisher() },
    Sharing("partition") { $0.partition { $0 > 0 }.matches.eraseToAnyPublisher() },
    Sharing("share in a share") { $0.share().share().eraseToAnyPublisher() },
    Sharing("share(buffering:)") { $0.share(buffering: .unbounded).eraseToAnyPublisher() },
    Sharing("share(buffering:), bounded") { $0.share(buffering: .bounded(2)).eraseToAnyPublisher() },
    Sharing("share(replay:)") { $0.share(replay: 1).eraseToAnyPublisher() },
    Sharing("multicast(in:)") { $0.multicast { $0 }.eraseToAnyPublisher() },
    Sharing("multicast(in:), in two branches") {
      $0.multicast { $0.filter { $0 > 0 }.merge(with: $0.filter { $0 < 0 }) }.eraseToAnyPublisher()
    },
  ]

  @Test(arguments: sharings)
  func `A prefix ends it, and the next one begins anew`(_ sharing: Sharing) {
    let numbers = Numbers()
    let shared = sharing.share(numbers.publisher)
    for round in 1...2 {
      let recorder = Recorder<Int, Never>()
      shared.prefix(3).subscribe(recorder)
      #expect(recorder.values == [1, 2, 3] && recorder.isFinished)
      #expect(numbers.count <= 4 * round)
    }
    #expect(numbers.beginnings == 2)
  }

  @Test(arguments: sharings, [1, 3])
  func `A cancel in a value ends it`(_ sharing: Sharing, _ number: Int) {
    let numbers = Numbers()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] value in
      if value == number { recorder.cancel() }
      return .none
    }
    sharing.share(numbers.publisher).subscribe(recorder)
    #expect(recorder.values == Array(1...number) && recorder.complaints.isEmpty)
    #expect(numbers.count <= number + 1)
  }

  @Test(arguments: sharings)
  func `One that stays gets what follows, and one that leaves last ends it`(_ sharing: Sharing) {
    let numbers = Numbers()
    let shared = sharing.share(numbers.publisher)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { [unowned first] value in
      if value == 2 {
        shared.filter { $0 > 2 }.prefix(2).subscribe(second)
        first.cancel()
      }
      return .none
    }
    shared.subscribe(first)
    #expect(first.values == [1, 2])
    #expect(second.values == [3, 4] && second.isFinished)
    #expect(numbers.count <= 8)
  }

  @Test(arguments: sharings)
  func `One that comes when all have left, before upstream returns, gets all of it`(_ sharing: Sharing) {
    let numbers = Numbers()
    let shared = sharing.share(numbers.publisher)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { [unowned first] value in
      if value == 2 {
        first.cancel()
        shared.prefix(3).subscribe(second)
      }
      return .none
    }
    shared.subscribe(first)
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2, 3] && second.isFinished)
    #expect(numbers.beginnings == 2 && numbers.count <= 8)
  }

  @Test(arguments: sharings)
  func `One that comes on another thread when all have left gets all of it`(_ sharing: Sharing) {
    let numbers = Numbers()
    let shared = UncheckedBox(sharing.share(numbers.publisher))
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { [unowned first] value in
      if value == 2 {
        first.cancel()
        elsewhere { shared.value.prefix(3).subscribe(second) }
      }
      return .none
    }
    shared.value.subscribe(first)
    #expect(second.values == [1, 2, 3] && second.isFinished && !second.hasOverlapped)
    // Replayed values are requested without a limit, and wait for the thread that is delivering, which waits here.
    if sharing.testDescription != "share(replay:)" { #expect(numbers.count <= 9) }
  }

  @Test(arguments: sharings)
  func `A cancel on another thread ends it`(_ sharing: Sharing) {
    let numbers = Numbers()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] value in
      if value == 3 {
        let box = UncheckedBox(recorder)
        elsewhere { box.value.cancel() }
      }
      return .none
    }
    sharing.share(numbers.publisher).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && numbers.count <= 4)
  }

  @Test(arguments: sharings)
  func `Nothing is left of it`(_ sharing: Sharing) {
    var graveyard = Graveyard()
    do {
      let numbers = graveyard.watch(Numbers(), "upstream")
      let recorder = graveyard.watch(Recorder<Int, Never>(), "subscriber")
      sharing.share(numbers.publisher).prefix(3).subscribe(recorder)
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A threshold counts anew for those that come when all have left`() {
    let numbers = Numbers()
    let shared = numbers.publisher.makeConnectable().autoconnect(atLeast: 2)
    let recorders = (0..<4).map { _ in Recorder<Int, Never>() }
    recorders[0].onValue = { value in
      if value == 2 {
        recorders[0].cancel()
        recorders[1].cancel()
        shared.prefix(3).subscribe(recorders[2])
      }
      return .none
    }
    shared.subscribe(recorders[0])
    shared.subscribe(recorders[1])
    #expect(recorders[2].values.isEmpty && numbers.beginnings == 1)
    shared.prefix(3).subscribe(recorders[3])
    #expect(recorders[2...].allSatisfy { $0.values == [1, 2, 3] && $0.isFinished })
    recorders[0].onValue = nil
  }

  /// A user's own `connect()` returns what cancels the connection: before it returns, nothing is known about it.
  @Test func `A connectable publisher of a user's is cancelled when its connect() has returned`() {
    final class Own: ConnectablePublisher {
      typealias Output = Int
      typealias Failure = Never
      let base: Publishers.MakeConnectable<AnyPublisher<Int, Never>>
      init(_ upstream: AnyPublisher<Int, Never>) { base = upstream.makeConnectable() }
      func connect() -> any Cancellable { base.connect() }
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { base.subscribe(subscriber) }
    }
    let numbers = Numbers()
    let recorder = Recorder<Int, Never>()
    Own(numbers.publisher).autoconnect().prefix(3).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && recorder.isFinished)
    #expect(numbers.count == Numbers.most + 1)
  }
}
