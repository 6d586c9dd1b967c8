// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

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
}
