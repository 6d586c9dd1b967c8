// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct UnimplementedClockTests {
  @Test func `A use traps, with the name of the clock, the call and the fix`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await UnimplementedClock("poll").sleep(until: .init(5), tolerance: nil)
      }, "The unimplemented clock poll was asked to sleep until 5s. Give the code that used it a clock that works")
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let clock: any Clock<Duration> = .unimplemented("search")
        try await clock.sleep(for: .seconds(1))
      }, "The unimplemented clock search was asked for the time.")
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = UnimplementedClock().minimumResolution
      }, "The unimplemented clock Clock was asked for its resolution.")
  }

  @Test func `A scheduler of it traps where it is used`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TaskScheduler(clock: UnimplementedClock("poll"))
        withExtendedLifetime(Just(1).delay(for: 1, scheduler: scheduler).sink { _ in }) {}
      }, "The unimplemented clock poll was asked")
  }

  @Test func `Every use can be reported instead, and what follows a sleep is not done`() async {
    let reports = Locked<[String]>([])
    let clock = UnimplementedClock("poll", now: 7) { report in reports.change { $0.append(report) } }
    #expect(clock.now.time == 7 && clock.minimumResolution == .nanoseconds(1))
    await #expect(throws: CancellationError.self) { try await clock.sleep(until: .init(8), tolerance: nil) }
    let uses = ["for the time.", "for its resolution.", "to sleep until 8s."]
    #expect(reports.value.count == uses.count)
    for (report, use) in zip(reports.value, uses) {
      #expect(report.hasPrefix("The unimplemented clock poll was asked \(use)"))
    }
  }

  @Test func `A scheduler of one that reports says so on the thread that schedules, and drops the action`() async {
    let reports = Locked<[String]>([])
    let clock = UnimplementedClock("poll") { report in reports.change { $0.append(report) } }
    let scheduler = TaskScheduler(clock: clock)
    scheduler.schedule(after: .init(.init(5)), tolerance: .zero, options: nil) { Issue.record("run") }
    #expect(reports.value.last?.hasPrefix("The unimplemented clock poll was asked to wait until 5s.") == true)
    await scheduler.settled()
  }

  @Test func `Code that does not use it runs`() async {
    let clock = UnimplementedClock("poll")
    let recording = Just(1).receive(on: TaskScheduler(clock: clock)).record()
    await #expect(throws: Never.self) { try await recording.expectNext(1, within: .seconds(60)) }
    await #expect(throws: Never.self) { try await recording.expectFinished(within: .seconds(60)) }
    #expect(clock.name == "poll")
  }
}
