// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

extension Machine {
  private typealias Numbers = Publishers.Sequence<[Int], TestError>

  private static func one(_ value: Int) -> AnyPublisher<Int, TestError> {
    Just(value).setFailureType(to: TestError.self).eraseToAnyPublisher()
  }

  /// Pipelines that need no subscription, beside other threads.
  static let fusion: [Machine] = [
    Machine("flatMap: a fused sequence, the end, and a cancel") { exploration in
      let (outer, recorder) = (Subject(), exploration.recorder())
      outer.flatMap { Numbers(sequence: [$0, $0 + 1]) }.subscribe(recorder)
      return Script([
        {
          outer.send(1)
          outer.send(completion: .finished)
        },
        { exploration.cancel(recorder) },
      ]) { recorder.broken() + expect([[], [1], [1, 2]].contains(recorder.values), "\(recorder.values)") }
    },
    Machine("flatMap: a fused value while another inner one sends and ends") { exploration in
      let (outer, a, recorder) = (Subject(), Subject(), exploration.recorder())
      outer.flatMap { $0 == 0 ? a.eraseToAnyPublisher() : one($0) }.subscribe(recorder)
      outer.send(0)
      return Script([
        {
          outer.send(2)
          outer.send(completion: .finished)
        },
        {
          a.send(1)
          a.send(completion: .finished)
        },
      ]) {
        recorder.broken() + expect(recorder.values.sorted() == [1, 2] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("flatMap: upstream ends in the closure of one that delivers at once, while another sends") { exploration in
      let (outer, a, recorder) = (Subject(), Subject(), exploration.recorder())
      outer.flatMap { place in
        if place == 0 { return a.eraseToAnyPublisher() }
        outer.send(completion: .finished)
        return one(2)
      }.subscribe(recorder)
      outer.send(0)
      return Script([
        { outer.send(1) },
        {
          a.send(1)
          a.send(completion: .finished)
        },
      ]) {
        recorder.broken() + expect(recorder.values.sorted() == [1, 2] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("switchToLatest: two that deliver at once, while the old one sends") { exploration in
      let (outer, a) = (PassthroughSubject<AnyPublisher<Int, TestError>, TestError>(), Subject())
      let recorder = exploration.recorder()
      outer.switchToLatest().subscribe(recorder)
      outer.send(a.eraseToAnyPublisher())
      return Script([
        {
          for value in 2...3 { outer.send(one(value)) }
          outer.send(completion: .finished)
        },
        { a.send(1) },
      ]) {
        recorder.broken() + expect(recorder.values.last == 3 && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("switchToLatest: a fused value replaces a stream that sends and ends") { exploration in
      let (outer, a) = (PassthroughSubject<AnyPublisher<Int, TestError>, TestError>(), Subject())
      let recorder = exploration.recorder()
      outer.switchToLatest().subscribe(recorder)
      outer.send(a.eraseToAnyPublisher())
      return Script([
        {
          outer.send(one(2))
          outer.send(completion: .finished)
        },
        {
          a.send(1)
          a.send(completion: .finished)
        },
      ]) {
        recorder.broken()
          + expect([[2], [1, 2]].contains(recorder.values) && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("append: a fused sequence follows, beside a cancel") { exploration in
      let (first, recorder) = (Subject(), exploration.recorder())
      first.append(Numbers(sequence: [2, 3])).subscribe(recorder)
      return Script([
        {
          first.send(1)
          first.send(completion: .finished)
        },
        { exploration.cancel(recorder) },
      ]) { recorder.broken() + expect([[], [1], [1, 2], [1, 2, 3]].contains(recorder.values), "\(recorder.values)") }
    },
    Machine("catch: a fused value replaces a failure, beside a request and one more value") { exploration in
      let (first, last, recorder) = (Subject(), Subject(), exploration.recorder(demand: .max(1)))
      first.catch { _ in one(2) }.append(last).subscribe(recorder)
      return Script([
        {
          first.send(1)
          first.send(completion: .failure(.oops))
          last.send(completion: .finished)
        },
        { recorder.request(.unlimited) },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("catch: a sink is cancelled while a fused replacement delivers") { exploration in
      let first = Subject()
      nonisolated(unsafe) var (values, late, isCancelled) = ([Int](), 0, false)
      weak nonisolated(unsafe) var kept: Kept?
      nonisolated(unsafe) var cancellable: AnyCancellable?
      do {
        let object = Kept()
        kept = object
        cancellable = first.catch { _ in [1, 2].publisher }.sink { value in
          if isCancelled { late += 1 }
          values.append(value)
          exploration.yield("delivers \(value)")
          withExtendedLifetime(object) {}
        }
      }
      return Script([
        { first.send(completion: .failure(.oops)) },
        {
          cancellable?.cancel()
          isCancelled = true
        },
      ]) {
        let isFreed = kept == nil
        cancellable = nil
        return expect(isFreed, "the sink's closures are left")
          + expect(late <= 1, "\(late) deliveries after the cancel")
      }
    },
    Machine("merge: a fused sequence, while another upstream sends and ends") { exploration in
      let (other, recorder) = (Subject(), exploration.recorder())
      return Script([
        { other.merge(with: Numbers(sequence: [1, 2])).subscribe(recorder) },
        {
          other.send(-1)
          other.send(completion: .finished)
        },
      ]) {
        recorder.broken() + expect(recorder.values.filter { $0 > 0 } == [1, 2], "\(recorder.values)")
          + expect(recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("merge: a run of values of a subscription, while another upstream sends, and a cancel") { exploration in
      let (other, recorder) = (Subject(), exploration.recorder())
      return Script([
        { other.merge(with: Unfused(Numbers(sequence: [1, 2, 3]))).subscribe(recorder) },
        { other.send(-1) },
        { if recorder.subscription != nil { exploration.cancel(recorder) } },
      ]) {
        let run = recorder.values.filter { $0 > 0 }
        return recorder.broken() + expect([1, 2, 3].starts(with: run), "\(recorder.values)")
      }
    },
    Machine("a sink that lives in its subject: two threads send, it is cancelled", preemptions: 3) { exploration in
      let subject = PassthroughSubject<Int, Never>()
      nonisolated(unsafe) var (values, late, isCancelled, isBusy, overlaps) = ([Int](), 0, false, false, false)
      let cancellable = subject.map { $0 }.sink { value in
        if isBusy { overlaps = true }
        isBusy = true
        if isCancelled { late += 1 }
        values.append(value)
        exploration.yield("delivers \(value)")
        isBusy = false
      }
      return Script([
        { subject.send(1) }, { subject.send(2) },
        {
          cancellable.cancel()
          isCancelled = true
        },
      ]) {
        subject.send(3)
        return expect(!overlaps, "deliveries overlap") + expect(late <= 1, "\(late) deliveries after the cancel")
          + expect(!values.contains(3), "\(values)")
      }
    },
    Machine("a sink that lives in its subject comes while another thread sends and finishes") { exploration in
      let subject = CurrentValueSubject<Int, Never>(0)
      nonisolated(unsafe) var (values, ends) = ([Int](), 0)
      nonisolated(unsafe) var cancellable: AnyCancellable?
      return Script([
        {
          subject.send(1)
          subject.send(completion: .finished)
        },
        {
          cancellable = subject.sink(
            receiveCompletion: { _ in ends += 1 },
            receiveValue: { value in
              values.append(value)
              exploration.yield("delivers \(value)")
            })
        },
      ]) {
        withExtendedLifetime(cancellable) {
          expect(ends == 1, "\(ends) completions") + expect([[], [1], [0, 1]].contains(values), "\(values)")
        }
      }
    },
  ]
}

/// An object whose life is watched.
private final class Kept {}

/// A publisher that hands nothing over, so that it is subscribed to.
private struct Unfused<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
    upstream.receive(subscriber: subscriber)
  }
}
