// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

private typealias Subject = PassthroughSubject<Int, TestError>

extension Machine {
  /// The machines of operators and sources that Combine does not have.
  static let beyond: [Machine] = [
    Machine("amb: both deliver, and one ends") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder())
      a.amb(b).subscribe(recorder)
      return Script([
        {
          a.send(1)
          a.send(2)
        },
        {
          b.send(11)
          b.send(completion: .finished)
        },
      ]) {
        recorder.broken()
          + expect(
            (recorder.values == [1, 2] && !recorder.isFinished) || (recorder.values == [11] && recorder.isFinished),
            "\(recorder.events)")
      }
    },
    Machine("amb: a request while one wins") { exploration in
      let (a, b) = (CurrentValueSubject<Int, TestError>(1), Subject())
      let recorder = exploration.recorder(demand: nil)
      b.amb(a).subscribe(recorder)
      return Script([{ recorder.request(.max(2)) }, { b.send(11) }, { exploration.cancel(recorder) }]) {
        recorder.broken()
      }
    },
    Machine("flatMapSequential: two streams deliver and end, requests one by one") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder(demand: nil))
      Publishers.Sequence<[Int], TestError>(sequence: [0, 1]).flatMapSequential(prefetch: 2) { $0 == 0 ? a : b }
        .subscribe(recorder)
      return Script([
        {
          a.send(1)
          a.send(completion: .finished)
        },
        {
          b.send(2)
          b.send(completion: .finished)
        },
        { recorder.request(.max(2)) },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("concatMap: a stream ends while its value waits, and a request") { exploration in
      let (outer, a, recorder) = (Subject(), Subject(), exploration.recorder(demand: nil))
      outer.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
        .concatMap { _ in a.first() }.subscribe(recorder)
      outer.send(0)
      return Script([
        { a.send(1) }, { recorder.request(.max(1)) }, { outer.send(completion: .finished) },
      ]) {
        recorder.broken() + expect(recorder.values == [1] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("combineLatest of a list: three senders") { exploration in
      let (subjects, recorder) = ((0..<3).map { _ in Subject() }, exploration.recorder())
      subjects.combineLatest().map { $0.reduce(0, +) }.subscribe(recorder)
      return Script([{ subjects[0].send(1) }, { subjects[1].send(10) }, { subjects[2].send(100) }]) {
        recorder.broken() + expect(recorder.values == [111], "\(recorder.values)")
      }
    },
    Machine("create: two senders, a request and a cancel") { exploration in
      let recorder = exploration.recorder(demand: nil)
      nonisolated(unsafe) var emitters: [Publishers.Emitter<Int, TestError>] = []
      nonisolated(unsafe) var cleanups = 0
      AnyPublisher<Int, TestError>.create { emitter in
        emitters.append(emitter)
        return AnyCancellable { cleanups += 1 }
      }.subscribe(recorder)
      exploration.releases.append { emitters = [] }
      return Script([
        { emitters[0].send(1) }, { emitters[0].send(completion: .finished) }, { recorder.request(.max(2)) },
      ]) {
        recorder.broken()
          + expect(
            recorder.isFinished && [[], [1]].contains(recorder.values) && cleanups == 1,
            "\(recorder.events), \(cleanups) cleanups")
      }
    },
    Machine("ReplaySubject: a subscriber joins while two threads send") { exploration in
      let (subject, recorder) = (ReplaySubject<Int, TestError>(capacity: 2), exploration.recorder())
      return Script([{ subject.send(1) }, { subject.send(2) }, { subject.subscribe(recorder) }]) {
        recorder.broken()
          + expect([[1, 2], [2, 1]].contains(recorder.values), "\(recorder.values)")
      }
    },
  ]
}
