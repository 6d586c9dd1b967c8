// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Whether a source promises to report when its deliveries have ended: only if no subscriber downstream can deliver on
/// its own.
@Suite struct SynchronousSubscriberTests {
  /// The end of a chain that asks for the promise.
  final class Probe<Input, Failure: Error>: SynchronousSubscriber, QuiescenceObserver {
    var answers: [Bool] = []

    var downstreamIsSynchronous: Bool { true }

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
}
