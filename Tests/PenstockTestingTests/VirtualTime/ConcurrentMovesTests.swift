// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// An executor whose turns are run by hand: when `run` returns, its tasks are suspended.
private final class ManualExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.change { $0.append(job) }
  }

  func run() {
    while let job = jobs.change({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

@Suite struct ConcurrentMovesTests {
  @Test func `Intervals by which several threads move the time add up`() {
    for _ in 0..<20 {
      let (time, runs) = (VirtualTimeScheduler(), Locked(0))
      let timer = time.schedule(after: 0.5, interval: 1) { runs.change { $0 += 1 } }
      onThreads(8) { _ in for _ in 0..<100 { time.advance(by: 1) } }
      #expect(time.now == 800)
      #expect(runs.value == 800)
      timer.cancel()
    }
  }

  @Test func `Two threads that move the time at the same moment move it by both intervals`() {
    let times = meet(over: { VirtualTimeScheduler() }, { $0.advance(by: 1) }, { $0.advance(by: 2) })
    #expect(Set(times.map(\.now)) == [3])
  }

  @Test func `Intervals by which tasks on other executors move the time add up, beside tasks of the executor`() async {
    for _ in 0..<20 {
      let (time, count) = (VirtualTimeScheduler(), Locked(0))
      await withTaskGroup { group in
        for second in 1...50 {
          group.addTask(executorPreference: time.executor) {
            try? await time.clock.sleep(for: .seconds(second))
            count.change { $0 += 1 }
          }
        }
        for _ in 0..<8 { group.addTask { for _ in 0..<50 { await time.advance(by: 0.25) } } }
      }
      #expect(time.now == 100)
      #expect(count.value == 50)
    }
  }

  @Test func `A move that another thread makes meanwhile is counted from the end of the first`() {
    let (time, moved) = (VirtualTimeScheduler(), Locked<VirtualTime>(0))
    time.schedule(after: 1) {
      elsewhere {
        time.advance(by: 2)
        moved.change { $0 = time.now }
      }
    }
    time.advance(by: 10)
    #expect(moved.value == 12)
    #expect(time.now == 12)
  }

  @Test func `A task that moves the time meanwhile waits, and its move is counted from the end of the first`() async {
    let (time, executor) = (VirtualTimeScheduler(), ManualExecutor())
    let task = Task(executorPreference: executor) {
      await time.advance(by: 2)
      return time.now
    }
    time.schedule(after: 1) { elsewhere { executor.run() } }
    await time.advance(by: 10)
    #expect(time.now == 12)
    executor.run()
    #expect(await task.value == 12)
  }

  @Test func `A move by nothing runs what is due, and goes no further though another one is under way`() {
    let (time, moved) = (VirtualTimeScheduler(), Locked<VirtualTime>(0))
    time.schedule(after: 1) {
      elsewhere {
        time.advance()
        moved.change { $0 = time.now }
      }
    }
    time.advance(by: 10)
    #expect(moved.value == 1)
    #expect(time.now == 10)
  }

  @Test func `An action that moves the time does so within the move that runs it`() {
    let (time, moved) = (VirtualTimeScheduler(), Locked<[VirtualTime]>([]))
    time.schedule(after: 1) {
      time.advance(by: 2)
      moved.change { $0.append(time.now) }
      time.advance(by: 1)
      moved.change { $0.append(time.now) }
    }
    time.advance(by: 10)
    #expect(moved.value == [3, 4])
    #expect(time.now == 10)
  }

  @Test func `A task of the executor that moves the time does so within the move that runs it`() async {
    let time = VirtualTimeScheduler()
    let task = Task(executorPreference: time.executor) {
      try? await time.clock.sleep(for: .seconds(1))
      await time.advance(by: 2)
      return time.now
    }
    await time.advance(by: 10)
    #expect(await task.value == 3)
    #expect(time.now == 10)
  }

  @Test func `A move that has come to its end is not counted again`() {
    let time = VirtualTimeScheduler()
    time.advance(by: 5)
    elsewhere { time.advance(by: 1) }
    time.advance(to: 7)
    elsewhere { time.advance(by: 1) }
    #expect(time.now == 8)
  }
}
