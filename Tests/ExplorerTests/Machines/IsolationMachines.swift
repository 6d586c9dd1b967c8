// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport

private typealias Sink = IsolatedSink<Int, TestError>

extension Machine {
  /// Sinks whose closures run in a job on an actor; here the actor is a logical thread.
  static let isolation: [Machine] = [
    isolated("an isolated sink: two senders, and an end", limit: nil) { subject, _ in
      [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { subject.send(11) },
      ]
    } check: { values, ends in
      expect([[1, 2], [1, 2, 11], [1, 11, 2], [11, 1, 2]].contains(values), "\(values)")
        + expect(ends == 1, "\(ends) ends")
    },
    isolated("an isolated sink: values while another thread cancels", limit: nil) { subject, sink in
      [{ (1...3).forEach(subject.send) }, { sink.cancel() }]
    } check: { values, ends in
      expect(values == Array((1...3).prefix(values.count)) && ends == 0, "\(values), \(ends) ends")
    },
    isolated("an isolated sink with a limit, behind a buffer", limit: 1) { subject, _ in
      [
        {
          (1...3).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: { values, ends in
      expect(values == [1, 2, 3] && ends == 1, "\(values), \(ends) ends")
    },
  ]

  private static func isolated(
    _ name: String, limit: Int?,
    _ threads: @escaping @Sendable (PassthroughSubject<Int, TestError>, Sink) -> [() -> Void],
    check: @escaping @Sendable (_ values: [Int], _ ends: Int) -> [String]
  ) -> Machine {
    Machine(name) { exploration in
      let (subject, queue) = (PassthroughSubject<Int, TestError>(), ExploredScheduler(exploration))
      nonisolated(unsafe) var values: [Int] = []
      nonisolated(unsafe) var ends = 0
      nonisolated(unsafe) var jobs = 0
      nonisolated(unsafe) var faults: [String] = []
      let sink = Sink(limit: limit) { sink in
        queue.schedule {
          jobs += 1
          if jobs > 1 { faults.append("two jobs at a time") }
          var batch = JobQueue<Sink.Signal>.Batch()
          while sink.performTurn(
            &batch,
            value: { value in
              exploration.yield("delivers \(value)")
              values.append(value)
            }, completion: { _ in ends += 1 })
          {
            exploration.yield("lets others have the actor")
          }
          jobs -= 1
        }
      }
      subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).subscribe(sink)
      exploration.releases.append {
        sink.cancel()
        queue.performAll()
      }
      return Script(threads(subject, sink), serving: [queue.thread]) { faults + check(values, ends) }
    }
  }
}
