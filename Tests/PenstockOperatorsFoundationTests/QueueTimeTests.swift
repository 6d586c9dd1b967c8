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
}
