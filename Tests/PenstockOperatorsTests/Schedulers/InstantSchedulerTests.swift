// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockDispatch
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct InstantSchedulerTests {
  private func check<S: Scheduler>(_ scheduler: S) {
    var log: [String] = []
    scheduler.schedule { log.append("at once") }
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(10))) { log.append("later") }
    let repeated = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { log.append("once") }
    repeated.cancel()
    #expect(log == ["at once", "later", "once"])
    #expect(scheduler.now == scheduler.now && scheduler.minimumTolerance == .zero)
  }

  @Test func `Actions run before the call returns, in the time of any scheduler`() {
    check(InstantScheduler<VirtualTime, Never>(now: 5))
    check(ImmediateSchedulerOf<DispatchQueue>(now: .init(.now())))
    check(AnySchedulerOf<DispatchQueue>.immediate(now: .init(.now())))
  }

  @Test func `A delay takes no time`() {
    let recorder = Recorder<Int, Never>()
    [1, 2].publisher.delay(for: 10, scheduler: AnyScheduler<VirtualTime, Never>.immediate(now: .zero))
      .subscribe(recorder)
    #expect(recorder.values == [1, 2] && recorder.isFinished)
  }
}
