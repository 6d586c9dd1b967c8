// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ImmediateClockTests {
  @Test func `A sleep returns at once, and the time is what was slept for`() async throws {
    let clock = ImmediateClock()
    #expect(clock.now == .init(0))
    try await clock.sleep(for: .seconds(3_600))
    try await clock.sleep(for: .milliseconds(500), tolerance: .seconds(9))
    #expect(clock.now.time == 3_600.5)
    #expect(clock.minimumResolution == .nanoseconds(1))
    let later = ImmediateClock(now: 7)
    #expect(try await later.measure { try await later.sleep(for: .seconds(2)) } == .seconds(2))
    #expect(later.now.time == 9)
  }

  @Test func `Each clock has a time of its own, which never turns back`() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(until: .init(5), tolerance: nil)
    try await clock.sleep(until: .init(2), tolerance: nil)
    #expect(clock.now.time == 5)
    #expect(ImmediateClock().now.time == 0)
  }

  @Test func `A task that is cancelled does not sleep, and moves no time`() async {
    let clock = ImmediateClock()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.time == 0)
  }

  @Test func `Tasks may sleep on it at the same time, and no sleep is forgotten`() async throws {
    let clock = ImmediateClock()
    try await withThrowingTaskGroup { group in
      for number in 1...100 {
        group.addTask { try await clock.sleep(until: .init(.init(nanoseconds: number)), tolerance: nil) }
      }
      try await group.waitForAll()
    }
    #expect(clock.now.time.nanoseconds == 100)
  }

  @Test func `It stands in for any clock, by its short name as well`() async throws {
    func dial(_ clock: any Clock<Duration>) async throws -> Duration {
      try await clock.measure { try await clock.sleep(for: .seconds(30)) }
    }
    #expect(try await dial(.immediate) == .seconds(30))
    func elapsed<C: Clock<Duration>>(_ clock: C) async throws -> Duration { try await dial(clock) }
    #expect(try await elapsed(.immediate) == .seconds(30))
  }
}
