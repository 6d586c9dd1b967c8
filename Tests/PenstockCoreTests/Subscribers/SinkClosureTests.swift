// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The closures of a sink to which something other than its source delivers.
@Suite struct SinkClosureTests {
  /// A user's operator that forwards upstream's own subscription, and delivers when the test says so.
  private final class Postponed<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    private struct Link: Subscriber {
      let combineIdentifier = CombineIdentifier()
      let downstream: AnySubscriber<Upstream.Output, Upstream.Failure>

      func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

      func receive(_ input: Upstream.Output) -> Subscribers.Demand { .none }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {}
    }

    private let upstream: Upstream
    private var downstream: AnySubscriber<Output, Failure>?

    init(_ upstream: Upstream) { self.upstream = upstream }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let downstream = AnySubscriber(subscriber)
      self.downstream = downstream
      upstream.subscribe(Link(downstream: downstream))
    }

    func send(_ value: Output) { _ = downstream?.receive(value) }

    func release() { downstream = nil }
  }

  enum Source: CaseIterable {
    case subject, managed, appended, merged, shared

    fileprivate func make(_ subject: PassthroughSubject<Int, TestError>) -> AnyPublisher<Int, TestError> {
      switch self {
      case .subject: subject.eraseToAnyPublisher()
      case .managed: subject.tryMap { $0 }.mapError { $0 as! TestError }.eraseToAnyPublisher()
      case .appended: subject.append(1).eraseToAnyPublisher()
      case .merged: subject.merge(with: subject).eraseToAnyPublisher()
      case .shared: subject.share().eraseToAnyPublisher()
      }
    }
  }

  @Test(arguments: Source.allCases)
  func `They may cancel while an operator of a user's delivers and the source is idle`(_ source: Source) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, TestError>()
    let postponed = Postponed(source.make(subject))
    var cancellable: AnyCancellable?
    var survivors: [[String]] = []
    do {
      let canary = graveyard.watch(Canary())
      let watched = graveyard
      cancellable = postponed.map { $0 + 1 }.sink(
        receiveCompletion: { _ in },
        receiveValue: { _ in
          cancellable?.cancel()
          cancellable = nil
          survivors.append(watched.survivors)
          withExtendedLifetime(canary) {}
        })
    }
    postponed.send(1)
    postponed.send(2)
    #expect(survivors == [["Canary"]])
    postponed.release()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A sink that is given the subscription of another keeps them while one of them runs`() {
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
