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

  // swift-clocks | `await clock.advance(by:)`, `advance(to:)`
  static func advance() async throws {
    let time = VirtualTimeScheduler()
    let task = Task(executorPreference: time.executor) { try await time.clock.sleep(for: .seconds(5)) }
    await time.advance(by: 5)
    await time.advance(to: 6)
    try await task.value
    expect(time.now, 6)
  }

  // swift-clocks | `await clock.run()`
  //
  // Differs: it has a budget of actions, and not of seconds.
  static func run() async throws {
    let time = VirtualTimeScheduler()
    let task = Task(executorPreference: time.executor) {
      for _ in 1...3 { try await time.clock.sleep(for: .seconds(5)) }
    }
    try await time.run()
    try await task.value
    expect(time.now, 15)
    let endless = Task(executorPreference: time.executor) {
      while true { try await time.clock.sleep(for: .seconds(5)) }
    }
    do {
      try await time.run(maxActions: 10)
      fatalError("The loop has no end")
    } catch {
      expect(error.actions, 10)
    }
    endless.cancel()
  }

  // swift-clocks | `try await clock.checkSuspension()`
  static func checkSuspension() async {
    let time = VirtualTimeScheduler()
    let task = Task(executorPreference: time.executor) { try await time.clock.sleep(for: .seconds(5)) }
    await time.advance()
    expect(time.pending, [5])
    task.cancel()
    await time.advance()
    expect(time.pending, [])
  }

  // swift-clocks | `AnyClock`
  static func anyClock() async throws {
    let clocks: [any Clock<Duration>] = [ImmediateClock(), ContinuousClock()]
    for clock in clocks { try await clock.sleep(for: .zero) }
  }
}
