// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct UnimplementedSchedulerTests {
  private typealias Poll = UnimplementedScheduler<VirtualTime, Never>

  @Test func `A use traps, with the name of the scheduler`() async {
    let action = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Poll("poll", now: .zero).schedule {}
    }
    expectMessage(action, "The unimplemented scheduler poll was asked to run an action.")
    let pipeline = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scheduler = AnyScheduler<VirtualTime, Never>.unimplemented("search", now: .zero)
      withExtendedLifetime(Just(1).delay(for: 1, scheduler: scheduler).sink { _ in }) {}
    }
    expectMessage(pipeline, "The unimplemented scheduler search was asked")
  }

  @Test func `Every use can be reported instead, and its action is dropped`() {
    let reports = Locked<[String]>([])
    let scheduler = Poll("poll", now: 7) { report in reports.change { $0.append(report) } }
    #expect(scheduler.now == 7 && scheduler.minimumTolerance == .zero)
    scheduler.schedule(options: nil) { Issue.record("run") }
    scheduler.schedule(after: 8, tolerance: 0, options: nil) { Issue.record("run") }
    scheduler.schedule(after: 8, interval: 1, tolerance: 0, options: nil) { Issue.record("run") }.cancel()
    let uses = ["for the time", "for its tolerance", "to run an action.", "to run an action later", "repeatedly"]
    #expect(reports.value.count == uses.count)
    for (report, use) in zip(reports.value, uses) {
      #expect(report.hasPrefix("The unimplemented scheduler poll was asked") && report.contains(use))
    }
  }

  @Test func `Code that does not use it runs`() {
    let recorder = Recorder<Int, Never>()
    let scheduler = Poll("poll", now: .zero)
    Empty<Int, Never>(completeImmediately: false).merge(with: Just(1)).subscribe(recorder)
    #expect(recorder.values == [1] && scheduler.name == "poll")
  }
}
