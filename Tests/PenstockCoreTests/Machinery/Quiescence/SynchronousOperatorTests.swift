// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Whether a source promises to report when its deliveries have ended: only if no subscriber downstream can deliver on
/// its own.
@Suite struct SynchronousOperatorTests {
  /// The end of a chain that asks for the promise.
  final class Probe<Input, Failure: Error>: Subscriber, QuiescenceObserver {
    var answers: [Bool] = []

    var _isSynchronous: Bool { true }

    func receive(subscription: any Subscription) {
      answers.append((subscription as? BaseSubscription)?.observeQuiescence(self) == true)
      subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand { .none }

    func receive(completion: Subscribers.Completion<Failure>) {}

    func deliveriesEnded() {}
  }

  /// A user's operator that forwards upstream's own subscription, and delivers when the test says so.
  struct Postponed<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    final class Link<Downstream: Subscriber>: Subscriber {
      typealias Input = Downstream.Input
      typealias Failure = Downstream.Failure

      let downstream: Downstream

      init(_ downstream: Downstream) { self.downstream = downstream }

      func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

      func receive(_ input: Input) -> Subscribers.Demand { .none }

      func receive(completion: Subscribers.Completion<Failure>) {}
    }

    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Link(subscriber))
    }
  }

  private func promise<P: Publisher>(_ publisher: P) -> [Bool] {
    let probe = Probe<P.Output, P.Failure>()
    publisher.subscribe(probe)
    return probe.answers
  }

  private let subject = CurrentValueSubject<Int, TestError>(0)

  @Test func `A source promises through the library's own operators`() {
    #expect(promise(subject) == [true])
    #expect(promise([1, 2].publisher) == [true])
    #expect(promise(subject.map { $0 }.filter { $0 > 0 }) == [true])
    #expect(promise(subject.tryMap { $0 }.prefix(3)) == [true])
    #expect(promise(subject.eraseToAnyPublisher().map { $0 }.eraseToAnyPublisher()) == [true])
    #expect(promise(subject.handleEvents(receiveOutput: { _ in }).replaceError(with: 1)) == [true])
    #expect(promise(subject.collect(2)) == [true])
    #expect(promise(subject.dropFirst()) == [true])
    #expect(promise(subject.share()) == [true])
  }

  @Test func `A source promises nothing where an operator of a user's hands on its subscription`() {
    #expect(promise(Postponed(upstream: subject)) == [false])
    #expect(promise(Postponed(upstream: [1, 2].publisher)) == [false])
    #expect(promise(Postponed(upstream: subject.map { $0 }).map { $0 }) == [false])
    #expect(promise(Postponed(upstream: subject.eraseToAnyPublisher()).eraseToAnyPublisher()) == [false])
    #expect(promise(Postponed(upstream: subject).tryMap { $0 }) == [false])
    #expect(promise(Postponed(upstream: subject.tryMap { $0 })) == [false])
    #expect(promise(Postponed(upstream: subject.share())) == [false])
    #expect(promise(Postponed(upstream: subject).replaceError(with: 1)) == [false])
  }

  /// The subscription of one chain, given to a second subscriber.
  private func promiseToSecond<P: Publisher>(
    _ publisher: P, exposed: (P, @escaping (any Subscription) -> Void) -> any Publisher<P.Output, P.Failure>
  ) -> [Bool] {
    let (first, second) = (Probe<P.Output, P.Failure>(), Probe<P.Output, P.Failure>())
    exposed(publisher) { second.receive(subscription: $0) }.subscribe(first)
    #expect(first.answers == [false])
    return second.answers
  }

  @Test func `A source promises nothing to a subscriber of another chain that is given its subscription`() {
    #expect(promiseToSecond(subject) { $0.handleEvents(receiveSubscription: $1) } == [false])
    #expect(promiseToSecond([1, 2].publisher) { $0.handleEvents(receiveSubscription: $1).map { $0 } } == [false])
    #expect(promiseToSecond(subject.tryMap { $0 }) { $0.handleEvents(receiveSubscription: $1) } == [false])
    #expect(promiseToSecond(subject.collect(2)) { $0.handleEvents(receiveSubscription: $1) } == [false])
    #expect(promiseToSecond(subject.share()) { $0.handleEvents(receiveSubscription: $1) } == [false])
    #expect(promiseToSecond(subject.append(1)) { $0.handleEvents(receiveSubscription: $1) } == [false])
    #expect(promiseToSecond(subject.merge(with: subject)) { $0.handleEvents(receiveSubscription: $1) } == [false])
    let stop: (@escaping (any Subscription) -> Void) -> (any Subscription) -> Bool = { expose in
      { subscription in
        expose(subscription)
        return false
      }
    }
    #expect(promiseToSecond(subject) { $0.breakpoint(receiveSubscription: stop($1)) } == [false])
  }

  @Test func `A sink that is given the subscription of another keeps its closures while one of them runs`() {
    let subject = PassthroughSubject<Int, Never>()
    let graveyard = Locked(Graveyard())
    let sink = Locked<Subscribers.Sink<Int, Never>?>(nil)
    let survivors = Locked<[String]>([])
    do {
      var canary: Canary!
      graveyard.change { canary = $0.watch(Canary()) }
      sink.change {
        $0 = Subscribers.Sink(receiveCompletion: { _ in }) { [canary] _ in
          sink.value?.cancel()
          subject.send(completion: .finished)
          survivors.change { $0 = graveyard.value.survivors }
          withExtendedLifetime(canary) {}
        }
      }
    }
    let cancellable = subject.handleEvents(receiveSubscription: { sink.value?.receive(subscription: $0) }).sink { _ in }
    _ = sink.value?.receive(1)
    #expect(survivors.value == ["Canary"])
    #expect(graveyard.value.survivors.isEmpty)
    cancellable.cancel()
  }
}
