// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import PenstockTesting
import TestSupport

extension Machine {
  /// Operators that count failures, and those whose time depends on what arrives.
  static let errors: [Machine] = [
    Machine("circuitBreaker: two calls fail beside a third") { exploration in
      let breaker = CircuitBreaker(failures: 2, resetAfter: 1, scheduler: ExploredScheduler(exploration))
      let calls = (0..<3).map { _ in Call(breaker, exploration) }
      for call in calls.dropLast() { call.begin() }
      return Script([
        { calls[0].service.send(completion: .failure(.oops)) },
        { calls[1].service.send(completion: .failure(.oops)) },
        { calls[2].begin() },
      ]) {
        // A call that began before the second failure continues.
        let late = Call(breaker, exploration)
        late.begin()
        return (calls + [late]).flatMap { $0.recorder.broken() }
          + expect([[], [.failure(.open)]].contains(calls[2].recorder.completions), "\(calls[2].recorder.events)")
          + expect(late.recorder.completions == [.failure(.open)], "not open: \(late.recorder.events)")
      }
    },
    Machine("circuitBreaker: two calls when it may be tried again, a success and a cancel") { exploration in
      let breaker = CircuitBreaker(failures: 1, resetAfter: 0, scheduler: ExploredScheduler(exploration))
      let first = Call(breaker, exploration)
      first.begin()
      first.service.send(completion: .failure(.oops))
      let calls = (0..<2).map { _ in Call(breaker, exploration) }
      return Script([
        {
          calls[0].begin()
          calls[0].service.send(1)
        },
        {
          calls[1].begin()
          exploration.cancel(calls[1].recorder)
        },
      ]) {
        let late = Call(breaker, exploration)
        late.begin()
        // The first call is refused only while the second is the trial, whose cancel makes room for another.
        return (calls + [late]).flatMap { $0.recorder.broken() }
          + expect(
            calls[0].recorder.values == [1] || calls[0].recorder.completions == [.failure(.open)],
            "\(calls[0].recorder.events)")
          + expect(late.recorder.completions.isEmpty, "not let through: \(late.recorder.events)")
      }
    },
    Machine("mergeDelayingErrors: both fail") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder())
      a.mergeDelayingErrors(with: b).mapError { TestError("\($0.failures.count)") }.subscribe(recorder)
      return Script([
        {
          a.send(1)
          a.send(completion: .failure(.oops))
        },
        {
          b.send(2)
          b.send(completion: .failure(.oops))
        },
      ]) {
        recorder.broken() + expect(recorder.values.sorted() == [1, 2], "\(recorder.events)")
          + expect(recorder.completions == [.failure(TestError("2"))], "\(recorder.completions)")
      }
    },
    Machine("combineLatestDelayingErrors: a failure, a value of the other, and a cancel") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder())
      a.combineLatestDelayingErrors(b).map { $0 + $1 }.mapError { TestError("\($0.failures.count)") }
        .subscribe(recorder)
      a.send(1)
      return Script([
        { a.send(completion: .failure(.oops)) },
        {
          b.send(2)
          b.send(completion: .finished)
        },
        { exploration.cancel(recorder) },
      ]) { recorder.broken() }
    },
    timed("throttle with both edges: two values and a finish beside requests", demand: nil) {
      exploration, subject, queue, recorder in
      subject.throttle(for: 1, scheduler: queue, leading: true, trailing: true).subscribe(recorder)
      return [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { for _ in 1...2 { recorder.request(.max(1)) } },
      ]
    } check: {
      expect([[], [1], [2], [1, 2]].contains($0.values) && $0.isFinished, "\($0.events)")
    },
    timed("throttle(reducing:): three values beside requests, none is lost", demand: nil) {
      exploration, subject, queue, recorder in
      subject.throttle(for: 1, scheduler: queue, reducing: +).subscribe(recorder)
      return [
        {
          for value in [1, 2, 4] { subject.send(value) }
          subject.send(completion: .finished)
        },
        { for _ in 1...3 { recorder.request(.max(1)) } },
      ]
    } check: {
      expect($0.values.reduce(0, +) == 7 && $0.isFinished, "\($0.events)")
    },
    timed("throttle(reducing:): a value and a request beside a cancel", demand: nil) {
      exploration, subject, queue, recorder in
      subject.throttle(for: 1, scheduler: queue, reducing: +).subscribe(recorder)
      return [{ subject.send(1) }, { recorder.request(.max(1)) }, { exploration.cancel(recorder) }]
    } check: { _ in
      []
    },
    timed("debounce by value: two values, then a finish") { exploration, subject, queue, recorder in
      subject.debounce(for: { .seconds($0) }, scheduler: queue).subscribe(recorder)
      return [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: {
      expect($0.completions.count == 1, "no completion: \($0.events)")
        + expect([[], [1], [2], [1, 2]].contains($0.values), "\($0.values)")
    },
    timed("stalled: a value and a request beside the end of time", demand: nil) {
      exploration, subject, queue, recorder in
      subject.stalled(after: 1, scheduler: queue).subscribe(recorder)
      return [{ subject.send(1) }, { recorder.request(.max(2)) }]
    } check: {
      expect($0.completions.count == 1 && $0.values == Array([1].prefix($0.values.count)), "\($0.events)")
    },
    timed("timeout(first:): a value beside the end of time") { exploration, subject, queue, recorder in
      subject.timeout(first: 1, scheduler: queue).subscribe(recorder)
      return [{ subject.send(1) }]
    } check: {
      expect($0.values == [1] && $0.completions.isEmpty || $0.values.isEmpty && $0.isFinished, "\($0.events)")
    },
    timed("delaySubscription: its time, a request and a cancel", demand: nil) {
      exploration, subject, queue, recorder in
      subject.delaySubscription(for: 1, scheduler: queue).subscribe(recorder)
      return [{ recorder.request(.max(1)) }, { exploration.cancel(recorder) }]
    } check: { _ in
      []
    },
  ]
}

/// A call of a service through a circuit breaker.
private final class Call: @unchecked Sendable {
  // `@unchecked`: one logical thread runs at a time.
  let service = Machine.Subject()
  let recorder: Recorder<Int, TestError>
  private let publisher: AnyPublisher<Int, TestError>

  init(_ breaker: CircuitBreaker<ExploredScheduler>, _ exploration: Exploration) {
    recorder = exploration.recorder()
    publisher = service.circuitBreaker(breaker).mapError { $0 == .open ? TestError.open : .oops }.eraseToAnyPublisher()
  }

  func begin() { publisher.subscribe(recorder) }
}

extension TestError {
  fileprivate static let open = TestError("open")
}
