// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

extension Machine {
  /// Values that wait until they are requested.
  static let queues: [Machine] = [
    Machine("buffer: values, a finish and requests", preemptions: 3, staleLoads: 0) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      subject.buffer(size: 5, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
      return Script([
        {
          subject.send(1)
          subject.send(2)
          subject.send(completion: .finished)
        },
        // The finish waits for demand, too.
        { for _ in 1...3 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2], "\(recorder.values)")
          + expect(recorder.completions.count == 1, "no completion")
      }
    },
    Machine("buffer: a value and a request, with outdated loads", preemptions: 2, staleLoads: 2) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      subject.buffer(size: 5, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
      return Script([{ subject.send(1) }, { recorder.request(.max(1)) }]) {
        recorder.broken() + expect(recorder.values == [1], "\(recorder.values)")
      }
    },
    Machine("buffer: a cancel while values come and are requested") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      subject.buffer(size: 5, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
      return Script([
        { (1...2).forEach(subject.send) }, { recorder.request(.max(2)) }, { exploration.cancel(recorder) },
      ]) {
        recorder.broken()
          + expect(recorder.values == Array([1, 2].prefix(recorder.values.count)), "\(recorder.values)")
      }
    },
    Machine("replaceEmpty: a finish and a request", preemptions: 3, staleLoads: 1) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      subject.replaceEmpty(with: 9).subscribe(recorder)
      return Script([{ subject.send(completion: .finished) }, { recorder.request(.max(1)) }]) {
        recorder.broken() + expect(recorder.values == [9] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("collect(2): values, a finish and requests", preemptions: 2, staleLoads: 1) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder([Int].self, demand: nil))
      subject.collect(2).subscribe(recorder)
      // Two batches are requested, and one is used up: the subject drops what nobody has asked for.
      recorder.request(.max(2))
      (-1...0).forEach(subject.send)
      return Script([
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { recorder.request(.max(1)) },
      ]) {
        recorder.broken() + expect(recorder.values == [[-1, 0], [1, 2]] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("intersperse: more outputs than are requested") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      subject.intersperse(0).subscribe(recorder)
      recorder.request(.max(1))
      return Script([
        {
          subject.send(1)
          subject.send(2)
        },
        { recorder.request(.max(1)) },
      ]) { recorder.broken() + expect(recorder.values.count <= 2, "\(recorder.values)") }
    },
    Machine("intersperse: two threads request", preemptions: 3, staleLoads: 1) { exploration in
      let recorder = exploration.recorder(demand: nil)
      Publishers.Sequence<[Int], TestError>(sequence: [1, 2, 3]).intersperse(0).subscribe(recorder)
      return Script([{ recorder.request(.max(2)) }, { recorder.request(.max(2)) }]) {
        recorder.broken() + expect(recorder.values == [1, 0, 2, 0], "\(recorder.values)")
      }
    },
    Machine("a sequence: two threads request, a third cancels") { exploration in
      let recorder = exploration.recorder(demand: nil)
      Publishers.Sequence<[Int], TestError>(sequence: [1, 2, 3]).subscribe(recorder)
      return Script([{ recorder.request(.max(1)) }, { recorder.request(.max(1)) }, { exploration.cancel(recorder) }]) {
        recorder.broken()
          + expect(recorder.values == Array([1, 2].prefix(recorder.values.count)), "\(recorder.values)")
      }
    },
  ]
}
