// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

/// Runs the jobs of tasks on the logical thread of an ``ExploredScheduler``.
private final class ExploredExecutor: TaskExecutor {
  private let queue: ExploredScheduler

  init(_ queue: ExploredScheduler) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.schedule { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension Machine {
  /// Pipelines that tasks read.
  static let tasks: [Machine] = [
    task("values: values, a finish, and the loop of a task") { _, subject, _ in
      [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: { values, isOver in
      expect(values == [1, 2], "\(values)") + expect(isOver, "the loop has not ended")
    },
    task("values: a value while the task is cancelled") { exploration, subject, task in
      // The runtime calls the handlers of a cancellation under a lock of the task.
      [{ subject.send(1) }, { exploration.uninterrupted { task.cancel() } }]
    } check: { values, isOver in
      expect([[], [1]].contains(values), "\(values)") + expect(isOver, "the loop has not ended")
    },
  ]

  private static func task(
    _ name: String,
    _ threads: @escaping @Sendable (Exploration, PassthroughSubject<Int, Never>, Task<Void, Never>) -> [() -> Void],
    check: @escaping @Sendable ([Int], _ isOver: Bool) -> [String]
  ) -> Machine {
    Machine(name) { exploration in
      let subject = PassthroughSubject<Int, Never>()
      let queue = ExploredScheduler(exploration)
      let executor = ExploredExecutor(queue)
      let stream = UncheckedBox(subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest))
      nonisolated(unsafe) var values: [Int] = []
      nonisolated(unsafe) var isOver = false
      let iterator = UncheckedBox(stream.value.values.makeAsyncIterator())
      let task = Task(executorPreference: executor) {
        var iterator = iterator.value
        while let value = await iterator.next() {
          exploration.yield("the task takes \(value)")
          values.append(value)
        }
        isOver = true
      }
      return Script(threads(exploration, subject, task), serving: [queue.thread]) {
        withExtendedLifetime(executor) { check(values, isOver) }
      }
    }
  }
}
