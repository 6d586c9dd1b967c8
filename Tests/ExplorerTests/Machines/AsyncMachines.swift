// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
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

/// An asynchronous sequence of three numbers that come at once.
private struct ThreeNumbers: AsyncSequence, AsyncIteratorProtocol {
  typealias Failure = TestError

  private var last = 0

  func makeAsyncIterator() -> ThreeNumbers { self }

  mutating func next(isolation actor: isolated (any Actor)?) async throws(TestError) -> Int? {
    if last == 3 { return nil }
    last += 1
    return last
  }
}

extension Machine {
  /// Pipelines that tasks read, and tasks that feed pipelines.
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
    task("values(buffering: .unbounded): values, a finish, and the loop of a task", buffering: .unbounded) {
      _, subject, _ in
      [
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: { values, isOver in
      expect(values == [1, 2], "\(values)") + expect(isOver, "the loop has not ended")
    },
    task("values(buffering: .suspending): values, a finish, and the loop of a task", buffering: .suspending(1)) {
      _, subject, _ in
      [
        {
          (1...3).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: { values, isOver in
      expect(values == [1, 2, 3], "\(values)") + expect(isOver, "the loop has not ended")
    },
    task("values(buffering: .latest): values, and the loop of a task", buffering: .latest) { _, subject, _ in
      [
        {
          (1...3).forEach(subject.send)
          subject.send(completion: .finished)
        }
      ]
    } check: { values, isOver in
      expect(values == values.sorted() && values.last == 3, "\(values)") + expect(isOver, "the loop has not ended")
    },
    task("values(buffering:): values while the task is cancelled", buffering: .suspending(2)) {
      exploration, subject, task in
      [{ (1...2).forEach(subject.send) }, { exploration.uninterrupted { task.cancel() } }]
    } check: { values, isOver in
      expect([[], [1], [1, 2]].contains(values), "\(values)") + expect(isOver, "the loop has not ended")
    },
    pull("AsyncSequence.publisher: requests of two threads, and the task") { _, recorder in
      [{ recorder.request(.max(1)) }, { recorder.request(.max(2)) }]
    } check: { recorder in
      expect(recorder.values == [1, 2, 3], "\(recorder.values)")
        + expect(recorder.completions.isEmpty, "the end came without a request")
    },
    pull("AsyncSequence.publisher: a request beyond the end, and the task") { _, recorder in
      [{ recorder.request(.max(1)) }, { recorder.request(.max(3)) }]
    } check: { recorder in
      expect(recorder.values == [1, 2, 3], "\(recorder.values)")
        + expect(recorder.completions == [.finished], "\(recorder.completions)")
    },
    pull("AsyncSequence.publisher: a request and a cancel, and the task") { exploration, recorder in
      [{ recorder.subscription?.request(.max(4)) }, { exploration.cancel(recorder) }]
    } check: { recorder in
      expect(recorder.values == Array([1, 2, 3].prefix(recorder.values.count)), "\(recorder.values)")
    },
  ]

  /// A pipeline whose source is a task that pulls three elements from a sequence.
  private static func pull(
    _ name: String,
    _ threads: @escaping @Sendable (Exploration, Recorder<Int, TestError>) -> [() -> Void],
    check: @escaping @Sendable (Recorder<Int, TestError>) -> [String]
  ) -> Machine {
    Machine(name) { exploration in
      let recorder = exploration.recorder(demand: nil)
      let queue = ExploredScheduler(exploration)
      let executor = ExploredExecutor(queue)
      // A task that a cancel has resumed is among the scheduled actions.
      exploration.releases.append { queue.performAll() }
      let pull = AsyncPull<Int, TestError>()
      pull.introduce(recorder.erased(), name: "pull")
      pull.start {
        Task(executorPreference: executor) { await pull.run(ThreeNumbers()) }
      }
      return Script(threads(exploration, recorder), serving: [queue.thread]) {
        let faults = check(recorder) + (recorder.hasOverlapped ? ["deliveries overlap"] : [])
        recorder.subscription?.cancel()
        return withExtendedLifetime(executor) { faults }
      }
    }
  }

  private static func task(
    _ name: String, buffering policy: AsyncBufferingPolicy? = nil,
    _ threads: @escaping @Sendable (Exploration, PassthroughSubject<Int, Never>, Task<Void, Never>) -> [() -> Void],
    check: @escaping @Sendable ([Int], _ isOver: Bool) -> [String]
  ) -> Machine {
    Machine(name) { exploration in
      let subject = PassthroughSubject<Int, Never>()
      let queue = ExploredScheduler(exploration)
      let executor = ExploredExecutor(queue)
      // A task that a cancel has resumed is among the scheduled actions.
      exploration.releases.append { queue.performAll() }
      let stream = UncheckedBox(subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest))
      nonisolated(unsafe) var values: [Int] = []
      nonisolated(unsafe) var isOver = false
      let take: @Sendable (Int) -> Void = { value in
        exploration.yield("the task takes \(value)")
        values.append(value)
      }
      let task: Task<Void, Never>
      if let policy {
        let iterator = UncheckedBox(stream.value.values(buffering: policy).makeAsyncIterator())
        task = Task(executorPreference: executor) {
          var iterator = iterator.value
          while let value = await iterator.next() { take(value) }
          isOver = true
        }
      } else {
        let iterator = UncheckedBox(stream.value.values.makeAsyncIterator())
        task = Task(executorPreference: executor) {
          var iterator = iterator.value
          while let value = await iterator.next() { take(value) }
          isOver = true
        }
      }
      return Script(threads(exploration, subject, task), serving: [queue.thread]) {
        withExtendedLifetime(executor) { check(values, isOver) }
      }
    }
  }
}
