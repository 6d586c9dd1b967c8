// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// Schedulers in the time of a clock with an interval that none can keep, which is 0.0001 s then, as for a timer.
@Suite struct RepeatedIntervalTests {
  enum Kind: CaseIterable { case tasks, actor, trampoline, loop }

  @Test(arguments: Kind.allCases, [0, -1, -1e300, .nan])
  func `Ten ticks come in a thousandth of a second`(_ kind: Kind, _ seconds: Double) async {
    let time = VirtualTimeScheduler()
    let clock = VirtualClock(time)
    let (ticks, blocks) = (Locked(0), Locked<[@Sendable () -> Void]>([]))
    func check<S: Scheduler>(_ scheduler: S, _ settle: () async -> Void) async
    where S.SchedulerTimeType == ClockTime<VirtualClock> {
      let cancellable = scheduler.schedule(
        after: scheduler.now.advanced(by: .microseconds(50)), interval: .seconds(seconds)
      ) { ticks.change { $0 += 1 } }
      for _ in 0..<10 {
        await time.advance(by: .microseconds(100))
        await settle()
      }
      #expect(ticks.value == 10)
      cancellable.cancel()
    }
    switch kind {
    case .tasks:
      let scheduler = TaskScheduler(clock: clock)
      await check(scheduler) { await scheduler.settled() }
    case .actor:
      let scheduler = TaskScheduler(on: MainActor.shared, clock: clock)
      await check(scheduler) { await scheduler.settled() }
    case .trampoline:
      await check(TrampolineScheduler(clock: clock)) {}
    case .loop:
      let scheduler = LoopScheduler(clock: clock) { block in blocks.change { $0.append(block) } }
      await check(scheduler) {
        while let block = blocks.change({ $0.isEmpty ? nil : $0.removeFirst() }) { block() }
      }
    }
  }
}
