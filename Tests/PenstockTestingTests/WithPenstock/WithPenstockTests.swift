// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// Virtual time and the clocks of tests beneath what only Penstock has, or does in this way: the other folders are
/// compiled over other Combines as well.
@Suite(.timeLimit(.minutes(5))) struct WithPenstockTests {
  @Test func `A scheduler of an unimplemented clock traps where it is used`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TaskScheduler(clock: UnimplementedClock("poll"))
        withExtendedLifetime(Just(1).delay(for: 1, scheduler: scheduler).sink { _ in }) {}
      }, "The unimplemented clock poll was asked")
  }

  @Test func `A scheduler of one that reports says so on the thread that schedules, and drops the action`() async {
    let reports = Locked<[String]>([])
    let clock = UnimplementedClock("poll") { report in reports.change { $0.append(report) } }
    let scheduler = TaskScheduler(clock: clock)
    scheduler.schedule(after: .init(.init(5)), tolerance: .zero, options: nil) { Issue.record("run") }
    #expect(reports.value.last?.hasPrefix("The unimplemented clock poll was asked to wait until 5s.") == true)
    await scheduler.settled()
  }

  @Test func `Code that does not use an unimplemented clock runs`() async {
    let clock = UnimplementedClock("poll")
    let recording = Just(1).receive(on: TaskScheduler(clock: clock)).record()
    await #expect(throws: Never.self) { try await recording.expectNext(1, within: .seconds(60)) }
    await #expect(throws: Never.self) { try await recording.expectFinished(within: .seconds(60)) }
    #expect(clock.name == "poll")
  }

  @Test func `A scheduler of an immediate clock waits for nothing, and its timer ticks until it is cancelled`()
    async throws
  {
    let clock = ImmediateClock()
    let scheduler = TaskScheduler(clock: clock)
    let delayed = Just("gate").delay(for: .seconds(3_600), scheduler: scheduler).record()
    try await delayed.expectNext("gate", within: .seconds(60))
    try await delayed.expectFinished(within: .seconds(60))
    #expect(clock.now.time >= 3_600)
    let ticks = Publishers.interval(.seconds(60), scheduler: scheduler).prefix(3).record()
    #expect(try await ticks.next(3).count == 3)
    try await ticks.expectFinished(within: .seconds(60))
    #expect(clock.now.time >= 3_780)
    for recording in [ticks] { try recording.finish() }
  }

  @Test func `A logger shows the time that was slept for`() async throws {
    let (clock, lines) = (ImmediateClock(), Locked<[String]>([]))
    let logger = TimeLogger(sinceOrigin: true, clock: clock) { line in lines.change { $0.append(line) } }
    try await clock.sleep(for: .seconds(90))
    logger.write("gate\n")
    #expect(lines.value == ["+90.00000s: gate"])
  }

  @Test func `What is collected by a period of zero comes all the time`() {
    let (time, source) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
    var arrays: [[Int]] = []
    let cancellable = source.collect(.byTime(time, 0)).sink { arrays.append($0) }
    for number in 1...3 {
      source.send(number)
      time.advance(by: .milliseconds(1))
    }
    #expect(arrays == [[1], [2], [3]])
    cancellable.cancel()
  }
}
