// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

extension Machine {
  /// Several upstreams of equal rank, and one that controls another.
  static let fanIn: [Machine] = [
    Machine("merge: two upstreams send and finish", preemptions: 2) { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder())
      a.merge(with: b).subscribe(recorder)
      return Script(
        [a, b].enumerated().map { place, subject in
          {
            subject.send(place)
            subject.send(completion: .finished)
          }
        }
      ) {
        recorder.broken() + expect(recorder.values.sorted() == [0, 1] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("merge: values, requests one by one, a cancel") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder(demand: .max(1)))
      a.merge(with: b).subscribe(recorder)
      return Script([{ a.send(1) }, { b.send(2) }, { recorder.request(.max(1)) }]) {
        recorder.request(.max(1))
        return recorder.broken() + expect(recorder.values.sorted() == [1, 2], "\(recorder.values)")
      }
    },
    Machine("zip: two upstreams send, one finishes") { exploration in
      let (a, b) = (Subject(), Subject())
      let recorder = exploration.recorder([Int].self)
      a.zip(b).map { [$0, $1] }.subscribe(recorder)
      return Script([
        { (1...2).forEach(a.send) },
        {
          b.send(11)
          b.send(completion: .finished)
        },
      ]) { recorder.broken() + expect(recorder.values == [[1, 11]] && recorder.isFinished, "\(recorder.events)") }
    },
    Machine("combineLatest: a promise while another thread cancels", preemptions: 3) { exploration in
      nonisolated(unsafe) var keep: (@Sendable (Result<Int, TestError>) -> Void)?
      let (future, other) = (Future<Int, TestError> { keep = $0 }, CurrentValueSubject<Int, TestError>(1))
      let recorder = exploration.recorder(Bool.self, demand: .max(2))
      future.combineLatest(other) { a, _ in a }.pairwise().map { $1 }.allSatisfy { $0 < 20 }.subscribe(recorder)
      let promise = UncheckedBox(keep.take()!)
      return Script([{ promise.value(.success(1)) }, { exploration.cancel(recorder) }]) { recorder.broken() }
    },
    Machine("combineLatest: two upstreams send", preemptions: 3) { exploration in
      let (a, b) = (Subject(), Subject())
      let recorder = exploration.recorder([Int].self)
      a.combineLatest(b).map { [$0, $1] }.subscribe(recorder)
      return Script([{ (1...2).forEach(a.send) }, { b.send(11) }]) {
        recorder.broken() + expect(recorder.values.last == [2, 11], "\(recorder.values)")
      }
    },
    Machine("prefix(untilOutputFrom:): a value and the signal", preemptions: 3) { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder())
      a.prefix(untilOutputFrom: b).subscribe(recorder)
      return Script([{ (1...2).forEach(a.send) }, { b.send(0) }]) {
        recorder.broken() + expect(recorder.completions.count == 1, "\(recorder.events)")
      }
    },
    Machine("withLatestFrom: values of both") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder([Int].self))
      a.withLatestFrom(b) { [$0, $1] }.subscribe(recorder)
      b.send(10)
      return Script([{ (1...2).forEach(a.send) }, { b.send(11) }]) {
        recorder.broken() + expect(recorder.values.map { $0[0] } == [1, 2], "\(recorder.values)")
      }
    },
  ]

  /// Publishers of publishers.
  static let flattening: [Machine] = [
    Machine("flatMap: an inner one opens while another sends") { exploration in
      let (outer, a, b) = (PassthroughSubject<Int, TestError>(), Subject(), Subject())
      let recorder = exploration.recorder()
      outer.flatMap { $0 == 0 ? a : b }.subscribe(recorder)
      outer.send(0)
      return Script([
        {
          outer.send(1)
          outer.send(completion: .finished)
        },
        {
          a.send(1)
          a.send(completion: .finished)
        },
      ]) {
        b.send(2)
        b.send(completion: .finished)
        return recorder.broken() + expect(recorder.values == [1, 2] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("flatMap: values of two inner ones, requests one by one") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder(demand: nil))
      Publishers.Sequence<[Int], TestError>(sequence: [0, 1]).flatMap { $0 == 0 ? a : b }.subscribe(recorder)
      return Script([{ a.send(1) }, { b.send(2) }, { recorder.request(.max(1)) }]) {
        recorder.request(.max(1))
        return recorder.broken() + expect(recorder.values.sorted() == [1, 2], "\(recorder.values)")
      }
    },
    Machine("switchToLatest: a switch while the old one sends, and a cancel") { exploration in
      let (outer, a, b) = (PassthroughSubject<Subject, TestError>(), Subject(), Subject())
      let recorder = exploration.recorder()
      outer.switchToLatest().subscribe(recorder)
      outer.send(a)
      return Script([{ outer.send(b) }, { a.send(1) }, { exploration.cancel(recorder) }]) { recorder.broken() }
    },
    Machine("switchToLatest: a switch while both send", preemptions: 3) { exploration in
      let (outer, a, b) = (PassthroughSubject<Subject, TestError>(), Subject(), Subject())
      let recorder = exploration.recorder()
      outer.switchToLatest().subscribe(recorder)
      outer.send(a)
      return Script([
        {
          outer.send(b)
          b.send(2)
        },
        { a.send(1) },
      ]) {
        // While A delivers the 1, the switch waits in the queue, and the 2 finds no subscriber yet.
        recorder.broken() + expect([[], [1], [2], [1, 2]].contains(recorder.values), "\(recorder.values)")
      }
    },
  ]
}
