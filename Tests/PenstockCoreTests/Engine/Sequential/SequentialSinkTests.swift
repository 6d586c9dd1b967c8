// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A sink downstream of an operator that hands over: the captures of its closures live as long as one of them runs, and
/// no longer than the stream.
@Suite struct SequentialSinkTests {
  private typealias Stream = AnyPublisher<Int, TestError>

  /// A publisher that can follow the first upstream.
  enum Successor: CaseIterable { case subject, sequence, just, foreign }

  enum Kind: CaseIterable { case `catch`, retry, append }

  private func join(_ kind: Kind, _ first: Stream, _ second: Stream) -> Stream {
    switch kind {
    case .catch: first.catch { _ in second }.eraseToAnyPublisher()
    case .append: first.append(second).eraseToAnyPublisher()
    case .retry:
      Deferred { [made = Locked(0)] in
        made.change { made in
          made += 1
          return made == 1 ? first : second
        }
      }.retry(1).eraseToAnyPublisher()
    }
  }

  private func end(_ kind: Kind) -> Subscribers.Completion<TestError> { kind == .append ? .finished : .failure(.oops) }

  @Test(arguments: Kind.allCases, Successor.allCases)
  func `A cancel during a successor's delivery frees the sink only after that`(_ kind: Kind, _ successor: Successor) {
    var graveyard = Graveyard()
    let first = PassthroughSubject<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    let foreign = ManualPublisher<Int, TestError>()
    let second: Stream =
      switch successor {
      case .subject: subject.eraseToAnyPublisher()
      case .sequence: Publishers.Sequence(sequence: [7, 8]).eraseToAnyPublisher()
      case .just: Just(7).setFailureType(to: TestError.self).eraseToAnyPublisher()
      case .foreign: foreign.eraseToAnyPublisher()
      }
    var cancellable: AnyCancellable?
    var values: [Int] = []
    var aliveInside = false
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let watched = graveyard
      cancellable = join(kind, first.eraseToAnyPublisher(), second).sink(
        receiveCompletion: { _ in },
        receiveValue: { value in
          values.append(value)
          guard value == 7 else { return }
          cancellable?.cancel()
          aliveInside = !watched.survivors.isEmpty
          withExtendedLifetime(canary) {}
        })
    }
    first.send(1)
    first.send(completion: end(kind))
    if successor == .subject { subject.send(7) }
    if successor == .foreign { foreign.send(7) }
    #expect(values == [1, 7])
    #expect(aliveInside)
    cancellable = nil
    foreign.releaseSubscribers()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: Kind.allCases, [Successor.subject, .foreign])
  func `A cancel while a successor delivers on another thread is safe, and frees the sink`(
    _ kind: Kind, _ successor: Successor
  ) {
    for _ in 0..<100 {
      var graveyard = Graveyard()
      let first = PassthroughSubject<Int, TestError>()
      let subject = PassthroughSubject<Int, TestError>()
      let foreign = Foreign()
      let cancellable: AnyCancellable
      do {
        let canary = graveyard.watch(Canary(), "closure")
        let second = successor == .subject ? subject.eraseToAnyPublisher() : foreign.eraseToAnyPublisher()
        cancellable = join(kind, first.eraseToAnyPublisher(), second).sink(
          receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
      }
      let (firstBox, subjectBox, foreignBox) = (UncheckedBox(first), UncheckedBox(subject), UncheckedBox(foreign))
      let ending = end(kind)
      onThreads([
        {
          for value in 1...5 { firstBox.value.send(value) }
          firstBox.value.send(completion: ending)
          for value in 1...5 {
            if successor == .subject { subjectBox.value.send(value) }
            if successor == .foreign { foreignBox.value.send(value) }
          }
        },
        { cancellable.cancel() },
      ])
      foreign.release()
      #expect(graveyard.survivors.isEmpty)
    }
  }

  /// A publisher that does not count demand, with a foreign subscription.
  private final class Foreign: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    private struct Passive: Subscription {
      let combineIdentifier = CombineIdentifier()
      func request(_ demand: Subscribers.Demand) {}
      func cancel() {}
    }

    private var subscriber: AnySubscriber<Int, TestError>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: Passive())
    }

    func send(_ value: Int) { _ = subscriber?.receive(value) }

    func release() { subscriber = nil }
  }

  /// The first upstream fails during its own delivery, which is therefore still running when the successor delivers.
  @Test(arguments: Kind.allCases)
  func `A change of upstreams during a delivery keeps the sink until both are done`(_ kind: Kind) {
    var graveyard = Graveyard()
    let first = PassthroughSubject<Int, TestError>()
    var cancellable: AnyCancellable?
    var values: [Int] = []
    var aliveInside = false
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let watched = graveyard
      let second = Just(7).setFailureType(to: TestError.self).eraseToAnyPublisher()
      let ending = end(kind)
      cancellable = join(kind, first.eraseToAnyPublisher(), second).sink(
        receiveCompletion: { _ in values.append(-1) },
        receiveValue: { value in
          values.append(value)
          if value == 1 { first.send(completion: ending) }
          aliveInside = !watched.survivors.isEmpty
          withExtendedLifetime(canary) {}
        })
    }
    first.send(1)
    #expect(values == [1, 7, -1])
    #expect(aliveInside)
    withExtendedLifetime(cancellable) {}
    #expect(graveyard.survivors.isEmpty)
  }
}
