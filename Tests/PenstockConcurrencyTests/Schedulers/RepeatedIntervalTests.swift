// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// Schedulers in the time of a clock with an interval that none can keep; it becomes 0.0001 s, as for a timer.
@Suite struct RepeatedIntervalTests {
  enum Kind: CaseIterable { case tasks, actor, trampoline, loop }

  @Test(arguments: Kind.allCases, [0, -1, -1e300, .nan])
  func `Ten ticks come in a thousandth of a second`(_ kind: Kind, _ seconds: Double) async {
    await check(kind, from: .microseconds(50), every: .seconds(seconds), 10)
  }

  @Test(arguments: Kind.allCases)
  func `What has been missed is not made up for`(_ kind: Kind) async {
    // One tick is due at once.
    await check(kind, from: .seconds(-1e9), every: .microseconds(100), 11)
  }

  /// Runs a scheduler for a thousandth of a second.
  private func check(_ kind: Kind, from start: ClockStride, every interval: ClockStride, _ count: Int) async {
    let time = VirtualTimeScheduler()
    let clock = VirtualClock(time)
    let (ticks, blocks) = (Locked(0), Locked<[@Sendable () -> Void]>([]))
    func check<S: Scheduler>(_ scheduler: S, _ settle: () async -> Void) async
    where S.SchedulerTimeType == ClockTime<VirtualClock> {
      let cancellable = scheduler.schedule(
        after: scheduler.now.advanced(by: start), interval: interval
      ) { ticks.change { $0 += 1 } }
      await settle()
      for _ in 0..<10 {
        await time.advance(by: .microseconds(100))
        await settle()
      }
      #expect(ticks.value == count)
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
