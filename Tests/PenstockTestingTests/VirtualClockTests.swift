// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import TestSupport
import Testing

@Suite struct VirtualClockTests {
  /// Starts a task that sleeps, and waits until it does.
  private func sleeper(_ scheduler: VirtualTimeScheduler<VirtualTime, Never>, until time: VirtualTime) async
    -> Task<VirtualTime, any Error>
  {
    let count = scheduler.pending.count
    let task = Task {
      try await VirtualClock(scheduler).sleep(until: .init(time), tolerance: nil)
      return scheduler.now
    }
    while scheduler.pending.count == count { await Task.yield() }
    return task
  }

  @Test func `A task sleeps until the time has come`() async throws {
    let scheduler = VirtualTimeScheduler()
    let (first, second) = (await sleeper(scheduler, until: 2), await sleeper(scheduler, until: 1))
    scheduler.advance(by: 1)
    #expect(try await second.value == 1)
    #expect(scheduler.pending == [2])
    scheduler.advance(by: 1)
    #expect(try await first.value == 2)
    #expect(scheduler.pending == [])
  }

  @Test(.timeLimit(.minutes(5)))
  func `A task does not sleep until a time that has been reached`() async throws {
    let scheduler = VirtualTimeScheduler()
    scheduler.advance(by: 2)
    for time in [0, 1, 2] as [VirtualTime] {
      try await VirtualClock(scheduler).sleep(until: .init(time), tolerance: nil)
    }
    #expect(scheduler.now == 2)
    #expect(scheduler.pending == [])
  }

  @Test func `A task that is cancelled wakes at once, and leaves nothing behind`() async {
    let scheduler = VirtualTimeScheduler()
    let task = await sleeper(scheduler, until: 5)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scheduler.pending == [])
  }

  @Test func `A task that is cancelled before it sleeps does not sleep`() async {
    let scheduler = VirtualTimeScheduler()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await VirtualClock(scheduler).sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scheduler.pending == [])
  }

  @Test func `Durations are rounded to nanoseconds, and clamped`() {
    #expect(VirtualTime.Stride(.milliseconds(1_500)) == 1.5)
    #expect(VirtualTime.Stride(.seconds(Int64.max)) == .nanoseconds(.max))
    let instant = VirtualClock.Instant(1)
    #expect(instant.advanced(by: .seconds(2)).time == 3)
    #expect(instant.duration(to: .init(0.5)) == .milliseconds(-500))
    #expect(instant < instant.advanced(by: .nanoseconds(1)))
  }
}
