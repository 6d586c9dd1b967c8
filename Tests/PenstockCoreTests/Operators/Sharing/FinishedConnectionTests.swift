// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A connection whose upstream finishes while it is being made, or whose subscribers have all cancelled by then.
@Suite struct FinishedConnectionTests {
  /// A subject of another module's, which keeps its end.
  private final class ForeignSubject: Subject {
    typealias Output = Int
    typealias Failure = Never

    private let base = PassthroughSubject<Int, Never>()

    func send(_ value: Int) { base.send(value) }
    func send(completion: Subscribers.Completion<Never>) { base.send(completion: completion) }
    func send(subscription: any Subscription) { subscription.request(.unlimited) }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { base.subscribe(subscriber) }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let share: @Sendable (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>
  }

  static let cases: [Case] = [
    Case(testDescription: "share") { $0.share().eraseToAnyPublisher() },
    Case(testDescription: "multicast") {
      $0.multicast { PassthroughSubject<Int, Never>() }.autoconnect().eraseToAnyPublisher()
    },
    Case(testDescription: "multicast, of a current value") {
      // The subject's own value comes before the connection, and is not the value that the subscribers wait for.
      $0.multicast { CurrentValueSubject<Int, Never>(0) }.autoconnect().filter { $0 > 0 }.eraseToAnyPublisher()
    },
    Case(testDescription: "multicast, through a foreign subject") {
      $0.multicast(subject: ForeignSubject()).autoconnect().eraseToAnyPublisher()
    },
    Case(testDescription: "makeConnectable") { $0.makeConnectable().autoconnect().eraseToAnyPublisher() },
  ]

  @Test(arguments: cases)
  func `Upstream is not subscribed to again for subscribers that get nothing but the end`(_ candidate: Case) {
    var subscriptions = 0
    let upstream = Deferred { () -> Publishers.Sequence<[Int], Never> in
      subscriptions += 1
      return [1, 2].publisher
    }
    let shared = candidate.share(upstream.eraseToAnyPublisher())
    let recorders = (0..<4).map { _ in Recorder<Int, Never>() }
    // The first one cancels when upstream has finished, which it learns during the connection.
    recorders[0].onCompletion = { _ in recorders[0].cancel() }
    for recorder in recorders { shared.subscribe(recorder) }
    #expect(recorders.map(\.isFinished) == [true, true, true, true])
    #expect(recorders[0].values == [1, 2] && recorders.dropFirst().allSatisfy(\.values.isEmpty))
    #expect(subscriptions == 1)
    recorders[0].onCompletion = nil
  }

  @Test(arguments: cases)
  func `Upstream is subscribed to again when its only subscriber has cancelled before the end`(_ candidate: Case) {
    var subscriptions = 0
    let upstream = Deferred { () -> Publishers.Sequence<[Int], Never> in
      subscriptions += 1
      return [1, 2].publisher
    }
    let shared = candidate.share(upstream.eraseToAnyPublisher())
    let recorders = (0..<4).map { _ in Recorder<Int, Never>() }
    // The first one cancels at the first value, which it gets during the connection.
    shared.first().subscribe(recorders[0])
    for recorder in recorders.dropFirst() { shared.first().subscribe(recorder) }
    #expect(recorders.map(\.isFinished) == [true, true, true, true])
    #expect(recorders.allSatisfy { $0.values == [1] })
    // The next subscriber gets the current value as soon as it arrives, and has left by the time when it would be
    // connected.
    #expect(subscriptions == (candidate.testDescription.contains("current") ? 1 : 4))
  }

  @Test(arguments: cases.filter { !$0.testDescription.contains("foreign") })
  func `A subscriber that cancels when upstream has finished does not make the next one connect`(_ candidate: Case) {
    var subscriptions = 0
    let upstream = Deferred { () -> Empty<Int, Never> in
      subscriptions += 1
      return Empty()
    }
    let shared = candidate.share(upstream.eraseToAnyPublisher())
    shared.subscribe(Recorder())
    for _ in 0..<2 {
      let recorder = Recorder<Int, Never>()
      recorder.onSubscription = { $0.cancel() }
      shared.subscribe(recorder)
    }
    #expect(subscriptions == 1)
  }

  /// A subject that ignores the end.
  private final class EndlessSubject: Subject {
    typealias Output = Int
    typealias Failure = Never

    private let base = PassthroughSubject<Int, Never>()

    func send(_ value: Int) { base.send(value) }
    func send(completion: Subscribers.Completion<Never>) {}
    func send(subscription: any Subscription) { subscription.request(.unlimited) }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { base.subscribe(subscriber) }
  }

  @Test func `A subject that goes on after the end is connected again when all subscribers have cancelled`() {
    let shared = [1, 2].publisher.multicast(subject: EndlessSubject()).autoconnect()
    for _ in 0..<2 {
      let recorder = Recorder<Int, Never>()
      shared.subscribe(recorder)
      #expect(recorder.values == [1, 2])
      recorder.cancel()
    }
  }

  @Test func `An upstream that has not finished is cancelled, and subscribed to again by the next one`() {
    let publisher = CountedPublisher<Int, Never>()
    let shared = publisher.merge(with: Just(1)).share()
    for count in 1...3 {
      let recorder = Recorder<Int, Never>()
      shared.first().subscribe(recorder)
      #expect(recorder.values == [1])
      #expect(publisher.subscribed.value == count && publisher.cancelled.value == count)
    }
  }

  @Test func `A connection that is over is released with the publisher`() {
    var graveyard = Graveyard()
    do {
      let canary = graveyard.watch(Canary(), "upstream")
      let shared = graveyard.watch(
        [1, 2].publisher.map { value in withExtendedLifetime(canary) { value } }.share(), "share")
      shared.first().subscribe(Recorder())
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
