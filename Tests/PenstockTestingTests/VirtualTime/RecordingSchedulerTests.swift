// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct RecordingSchedulerTests {
  @Test func `Every call is written down and handed on`() {
    let base = VirtualTimeScheduler<VirtualTime, String>(now: 1, minimumTolerance: 0.25)
    let scheduler = RecordingScheduler(base)
    var runs: [String] = []
    #expect(scheduler.now == 1)
    #expect(scheduler.minimumTolerance == 0.25)
    scheduler.schedule(options: "soon") { runs.append("soon") }
    scheduler.schedule(after: 2, tolerance: 0.5, options: nil) { runs.append("later") }
    let timer = scheduler.schedule(after: 3, interval: 1, tolerance: 0.1, options: "often") { runs.append("often") }
    base.advance(to: 4)
    timer.cancel()
    base.advance(to: 9)
    #expect(runs == ["soon", "later", "often", "often"])
    #expect(
      scheduler.calls == [
        .now, .minimumTolerance, .schedule(options: "soon"), .scheduleAfter(2, tolerance: 0.5, options: nil),
        .scheduleRepeating(3, interval: 1, tolerance: 0.1, options: "often"), .cancel(0),
      ])
  }

  @Test func `Taking the calls starts a new page`() {
    let scheduler = RecordingScheduler(VirtualTimeScheduler())
    scheduler.schedule {}
    #expect(scheduler.takeCalls() == [.schedule(options: nil)])
    #expect(scheduler.calls.isEmpty)
    // The short form reads the tolerance, to call the long form with it.
    scheduler.schedule(after: 3) {}
    #expect(scheduler.takeCalls() == [.minimumTolerance, .scheduleAfter(3, tolerance: 0, options: nil)])
  }

  @Test func `The short forms mean no options, and the smallest tolerance unless one is given`() {
    let scheduler = RecordingScheduler(VirtualTimeScheduler<VirtualTime, String>(now: 0, minimumTolerance: 0.25))
    scheduler.schedule {}
    scheduler.schedule(after: 1) {}
    scheduler.schedule(after: 2, tolerance: 0.5) {}
    let timers = [
      scheduler.schedule(after: 3, interval: 7) {},
      scheduler.schedule(after: 4, interval: 8, tolerance: 0.5) {},
    ]
    #expect(
      scheduler.takeCalls() == [
        .schedule(options: nil),
        .minimumTolerance, .scheduleAfter(1, tolerance: 0.25, options: nil),
        .scheduleAfter(2, tolerance: 0.5, options: nil),
        .minimumTolerance, .scheduleRepeating(3, interval: 7, tolerance: 0.25, options: nil),
        .scheduleRepeating(4, interval: 8, tolerance: 0.5, options: nil),
      ])
    for timer in timers { timer.cancel() }
  }

  @Test func `Timers are numbered, and end once`() {
    let base = VirtualTimeScheduler()
    let scheduler = RecordingScheduler(base)
    let timers = (0..<3).map { _ in scheduler.schedule(after: 1, interval: 1) {} }
    _ = scheduler.takeCalls()
    timers[1].cancel()
    timers[1].cancel()
    timers[0].cancel()
    // The optimiser would release the third timer, and so cancel it, right after the last use of the array.
    withExtendedLifetime(timers) {
      #expect(scheduler.takeCalls() == [.cancel(1), .cancel(0)])
      #expect(base.pending == [1])
    }
  }

  @Test func `Threads may use it at once`() {
    let scheduler = RecordingScheduler(VirtualTimeScheduler())
    onThreads(4) { _ in
      for _ in 0..<100 { scheduler.schedule {} }
    }
    #expect(scheduler.calls.count == 400)
  }
}
