// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting
import Synchronization

enum ComingFromSwiftClocks {
  // swift-clocks | `TestClock`
  static func testClock() async throws {
    let time = VirtualTimeScheduler()
    let task = Task(executorPreference: time.executor) {
      try await time.clock.sleep(for: .seconds(5))
      return time.clock.now.time
    }
    await time.advance(by: 4)
    expect(time.pending, [5])
    await time.advance(by: 1)
    expect(try await task.value, 5)
  }

  // swift-clocks | `ImmediateClock`, `.immediate`
  static func immediateClock() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(60))
    expect(clock.now.time, 60)
    let any: any Clock<Duration> = .immediate
    try await any.sleep(for: .seconds(60))
  }

  // swift-clocks | `UnimplementedClock`, `.unimplemented()`
  //
  // Differs: a use traps, unless there is a closure that reports it.
  static func unimplementedClock() async {
    let reports = Mutex<[String]>([])
    let clock: any Clock<Duration> = .unimplemented("poll") { text in reports.withLock { $0.append(text) } }
    expect((try? await clock.sleep(for: .seconds(1))) == nil, true)
    expect(reports.withLock(\.first)?.hasPrefix("The unimplemented clock poll was asked"), true)
  }

  // swift-clocks | `UnimplementedClock`, `.unimplemented()`
  //
  // Differs: a use traps, unless there is a closure that reports it.
  // Stops: The unimplemented clock poll was asked to sleep
  static func use() async throws {
    try await UnimplementedClock("poll").sleep(until: .init(1), tolerance: nil)
  }
}
