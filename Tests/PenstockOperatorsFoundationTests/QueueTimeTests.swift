// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockOperatorsFoundation
import TestSupport
import Testing

@Suite struct QueueTimeTests {
  /// Takes the scheduler that a program would give it, and in a test one that runs everything at once.
  private func delayed<S: Scheduler>(by delay: S.SchedulerTimeType.Stride, on scheduler: S) -> [Int] {
    let recorder = Recorder<Int, Never>()
    [1, 2].publisher.delay(for: delay, scheduler: scheduler).subscribe(recorder)
    return recorder.values
  }

  @Test func `A scheduler that runs everything at once has the time of a queue or of a run loop`() {
    #expect(delayed(by: .seconds(9), on: ImmediateSchedulerOf<DispatchQueue>(now: .init(.now()))) == [1, 2])
    #expect(delayed(by: .seconds(9), on: ImmediateSchedulerOf<RunLoop>(now: .init(Date()))) == [1, 2])
    #expect(delayed(by: .seconds(9), on: AnySchedulerOf<OperationQueue>.immediate(now: .init(Date()))) == [1, 2])
  }

  @Test func `Queues and run loops can be erased`() {
    let schedulers: (AnySchedulerOf<DispatchQueue>, AnySchedulerOf<OperationQueue>) = (
      DispatchQueue.main.eraseToAnyScheduler(), OperationQueue().eraseToAnyScheduler()
    )
    #expect(schedulers.0.minimumTolerance == DispatchQueue.main.minimumTolerance)
    #expect(schedulers.1.minimumTolerance == OperationQueue().minimumTolerance)
  }

  @Test func `A run loop, which is not Sendable, is erased on the caller's word`() {
    let hasRun = Locked(false)
    let scheduler = AnyScheduler(unchecked: RunLoop.current)
    scheduler.schedule { hasRun.change { $0 = true } }
    #expect(!hasRun.value)
    while !hasRun.value { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) }
  }

  @Test func `Where the type is known, a scheduler has a short name`() {
    let queues: [AnySchedulerOf<DispatchQueue>] = [.main, .global(), .global(qos: .utility), .immediate]
    #expect(queues.allSatisfy { $0.minimumTolerance == DispatchQueue.main.minimumTolerance })
    let before = Date()
    let (loop, operations): (AnySchedulerOf<RunLoop>, AnySchedulerOf<OperationQueue>) = (.main, .main)
    #expect(loop.now.date >= before && operations.now.date >= before)
    #expect(delayed(by: .seconds(9), on: AnySchedulerOf<DispatchQueue>.immediate) == [1, 2])
    #expect(delayed(by: .seconds(9), on: AnySchedulerOf<RunLoop>.immediate) == [1, 2])
    #expect(delayed(by: .seconds(9), on: AnySchedulerOf<OperationQueue>.immediate) == [1, 2])
  }

  @Test func `A scheduler that runs everything at once has the same time in each run`() {
    #expect(AnySchedulerOf<DispatchQueue>.immediate.now.dispatchTime.uptimeNanoseconds == 1_000_000_000)
    #expect(AnySchedulerOf<RunLoop>.immediate.now.date.timeIntervalSinceReferenceDate == 0)
    #expect(AnySchedulerOf<OperationQueue>.immediate.now.date.timeIntervalSinceReferenceDate == 0)
  }

  /// `MainLoopTests` has those of the main thread, which no test controls.
  @Test func `A global queue runs actions, and not as the main queue`() async {
    for scheduler in [AnySchedulerOf<DispatchQueue>.global(), .global(qos: .userInitiated)] {
      await withCheckedContinuation { hasRun in
        scheduler.schedule {
          dispatchPrecondition(condition: .notOnQueue(.main))
          hasRun.resume()
        }
      }
    }
  }
}
