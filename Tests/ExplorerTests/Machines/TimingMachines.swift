// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport

extension Machine {
  /// Operators that deliver on a scheduler.
  static let timing: [Machine] = [
    timed("receive(on:): values, a finish, a cancel") { exploration, subject, queue, recorder in
      subject.receive(on: queue).subscribe(recorder)
      return [
        {
          subject.send(1)
          subject.send(completion: .finished)
        },
        { exploration.cancel(recorder) },
      ]
    } check: { _ in
      []
    },
    timed("receive(on:): values and requests") { exploration, subject, queue, recorder in
      recorder.onValue = { _ in .max(1) }
      subject.receive(on: queue).subscribe(recorder)
      return [{ (1...2).forEach(subject.send) }]
    } check: {
      expect($0.values == [1, 2], "\($0.values)")
    },
    timed("delay: two values and a finish") { exploration, subject, queue, recorder in
      subject.delay(for: 1, scheduler: queue).subscribe(recorder)
      return [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: {
      expect($0.values == [1, 2] && $0.isFinished, "\($0.events)")
    },
    timed("debounce: two values, then a finish") { exploration, subject, queue, recorder in
      subject.debounce(for: 1, scheduler: queue).subscribe(recorder)
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
    timed("debounce: two values while the timer goes off") { exploration, subject, queue, recorder in
      subject.debounce(for: 1, scheduler: queue).subscribe(recorder)
      return [{ (1...2).forEach(subject.send) }]
    } check: {
      expect($0.values == [2] || $0.values == [1, 2], "\($0.values)")
    },
    timed("debounce: a timer that is set anew while another thread cancels") { exploration, subject, queue, recorder in
      subject.debounce(for: 1, scheduler: queue).subscribe(recorder)
      return [{ (1...2).forEach(subject.send) }, { exploration.cancel(recorder) }]
    } check: { _ in
      []
    },
    timed("debounce: a value and a cancel") { exploration, subject, queue, recorder in
      subject.debounce(for: 1, scheduler: queue).subscribe(recorder)
      return [{ subject.send(1) }, { exploration.cancel(recorder) }]
    } check: { _ in
      []
    },
    timed("throttle: two values and a finish") { exploration, subject, queue, recorder in
      subject.throttle(for: 1, scheduler: queue, latest: true).subscribe(recorder)
      return [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: {
      expect($0.completions.count == 1, "no completion: \($0.events)")
    },
    timed("throttle: two values and a finish beside requests", demand: nil) { exploration, subject, queue, recorder in
      subject.throttle(for: 1, scheduler: queue, latest: true).subscribe(recorder)
      return [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { for _ in 1...2 { recorder.request(.max(1)) } },
      ]
    } check: {
      // The end waits for no demand, and discards values that have not been asked for.
      expect([[], [1], [2], [1, 2]].contains($0.values) && $0.isFinished, "\($0.events)")
    },
    timed("throttle: a value beside a request for nothing, and one for it", demand: nil) {
      exploration, subject, queue, recorder in
      subject.throttle(for: 1, scheduler: queue, latest: false).subscribe(recorder)
      return [
        { subject.send(1) },
        {
          recorder.request(.none)
          recorder.request(.max(1))
        },
      ]
    } check: {
      expect($0.values == [1], "\($0.events)")
    },
    timed("throttle: a value and a request beside a cancel", demand: nil) { exploration, subject, queue, recorder in
      subject.throttle(for: 1, scheduler: queue, latest: true).subscribe(recorder)
      return [{ subject.send(1) }, { recorder.request(.max(1)) }, { exploration.cancel(recorder) }]
    } check: { _ in
      []
    },
    timed("timeout: a value beside the end of time") { exploration, subject, queue, recorder in
      subject.timeout(1, scheduler: queue).subscribe(recorder)
      return [{ subject.send(1) }]
    } check: {
      expect($0.completions.count == 1, "no completion: \($0.events)")
    },
    timed("timeout: two values and a finish beside the end of time") { exploration, subject, queue, recorder in
      subject.timeout(1, scheduler: queue).subscribe(recorder)
      return [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: {
      expect($0.completions.count == 1 && $0.values == Array([1, 2].prefix($0.values.count)), "\($0.events)")
    },
    timed("collect by weight: two values and a finish beside requests", demand: nil) {
      exploration, subject, queue, recorder in
      subject.collect(upTo: 2, weight: 9, within: 1, scheduler: queue) { $0 }.map { $0.reduce(0) { $0 * 10 + $1 } }
        .subscribe(recorder)
      return [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { for _ in 1...2 { recorder.request(.max(1)) } },
      ]
    } check: {
      expect([[12], [1, 2]].contains($0.values) && $0.isFinished, "\($0.events)")
    },
    timed("collect by weight: what a delivery returns pays for what waits", demand: .max(1)) {
      exploration, subject, queue, recorder in
      recorder.onValue = { _ in .max(1) }
      subject.collect(upTo: 2, weight: 2, within: 1, scheduler: queue) { $0 }.map { $0[0] }.subscribe(recorder)
      return [{ (1...2).forEach(subject.send) }]
    } check: {
      expect($0.values == [1, 2], "\($0.events)")
    },
    timed("collect by weight: two values beside a cancel") { exploration, subject, queue, recorder in
      subject.collect(upTo: 2, weight: 2, within: 1, scheduler: queue) { $0 }.map { $0[0] }.subscribe(recorder)
      return [{ (1...2).forEach(subject.send) }, { exploration.cancel(recorder) }]
    } check: { _ in
      []
    },
    fulfilled("combineLatest: a promise while the introduction cancels") { stream, recorder, _ in
      stream.subscribe(recorder)
    },
    fulfilled("subscribe(on:): a promise while the introduction cancels") { stream, recorder, queue in
      stream.subscribe(on: queue).subscribe(recorder)
    },
    timed("subscribe(on:): a request and a cancel") { exploration, subject, queue, recorder in
      subject.subscribe(on: queue).subscribe(recorder)
      return [{ recorder.request(.max(1)) }, { exploration.cancel(recorder) }]
    } check: { _ in
      []
    },
  ]

  /// A future that is fulfilled while its subscriber cancels as soon as it is introduced.
  private static func fulfilled(
    _ name: String,
    _ subscribe:
      @escaping @Sendable (AnyPublisher<Bool, TestError>, Recorder<Bool, TestError>, ExploredScheduler) -> Void
  ) -> Machine {
    Machine(name, preemptions: 3) { exploration in
      nonisolated(unsafe) var keep: (@Sendable (Result<Int, TestError>) -> Void)?
      let (future, other) = (Future<Int, TestError> { keep = $0 }, CurrentValueSubject<Int, TestError>(1))
      let recorder = exploration.recorder(Bool.self, demand: nil)
      recorder.onSubscription = { $0.cancel() }
      let promise = UncheckedBox(keep.take()!)
      let queue = ExploredScheduler(exploration)
      exploration.releases.append { queue.performAll() }
      let stream = future.combineLatest(other) { a, _ in a }.pairwise().map { $1 }.allSatisfy { $0 < 20 }
        .eraseToAnyPublisher()
      return Script(
        [{ promise.value(.success(1)) }, { subscribe(stream, recorder, queue) }], serving: [queue.thread]
      ) {
        recorder.broken()
      }
    }
  }

  static func timed(
    _ name: String, preemptions: Int = 2, demand: Subscribers.Demand? = .unlimited,
    _ threads: @escaping @Sendable (Exploration, Subject, ExploredScheduler, Recorder<Int, TestError>) -> [() -> Void],
    check: @escaping @Sendable (Recorder<Int, TestError>) -> [String]
  ) -> Machine {
    Machine(name, preemptions: preemptions) { exploration in
      let (subject, queue) = (Subject(), ExploredScheduler(exploration))
      let recorder = exploration.recorder(demand: demand)
      let bodies = threads(exploration, subject, queue, recorder)
      // The cancel may be among the scheduled actions.
      exploration.releases.append { queue.performAll() }
      return Script(bodies, serving: [queue.thread]) {
        withExtendedLifetime(subject) { recorder.broken() + check(recorder) }
      }
    }
  }

  /// The ends of pipelines, and single results.
  static let ends: [Machine] = [
    Machine("sink: a value while another thread cancels", preemptions: 3, staleLoads: 1) { exploration in
      let subject = Subject()
      var graveyard = Graveyard()
      final class Kept {}
      nonisolated(unsafe) var received = 0
      nonisolated(unsafe) var isOver = false
      nonisolated(unsafe) var late = 0
      var kept: Kept? = graveyard.watch(Kept(), "what the closure captures")
      var cancellable: AnyCancellable? = subject.map { $0 }.sink(receiveCompletion: { _ in }) {
        [kept] _ in
        withExtendedLifetime(kept) {}
        received += 1
        if isOver { late += 1 }
        exploration.yield("delivers")
      }
      kept = nil
      let shared = UncheckedBox(cancellable!)
      cancellable = nil
      return Script([
        { (1...2).forEach(subject.send) },
        {
          shared.value.cancel()
          isOver = true
        },
      ]) {
        expect(late <= 1, "\(late) values after the cancel")
          + expect(graveyard.survivors.isEmpty, "still alive: \(graveyard.survivors)")
      }
    },
    Machine("Future: a promise, an attach and a cancel") { exploration in
      nonisolated(unsafe) var promise: Future<Int, TestError>.Promise!
      let future = Future<Int, TestError> { promise = $0 }
      let (first, second) = (exploration.recorder(), exploration.recorder())
      future.subscribe(first)
      return Script([{ promise(.success(1)) }, { future.subscribe(second) }, { exploration.cancel(first) }]) {
        first.broken() + second.broken() + expect(second.values == [1] && second.isFinished, "\(second.events)")
      }
    },
    Machine("pausableSink: a value while another thread pauses and resumes") { exploration in
      let subject = Subject()
      nonisolated(unsafe) var values: [Int] = []
      let sink = subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).pausableSink(
        receiveCompletion: { _ in },
        receiveValue: {
          values.append($0)
          exploration.yield("delivers \($0)")
          return true
        })
      let shared = UncheckedBox(sink)
      return Script([
        { (1...2).forEach(subject.send) },
        {
          shared.value.pause()
          shared.value.resume()
        },
      ]) {
        shared.value.cancel()
        return expect(values == [1, 2], "\(values)")
      }
    },
  ]
}
