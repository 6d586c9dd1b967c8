// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockTestingDispatch
import Synchronization

enum ComingFromCombineSchedulers {
  // combine-schedulers | `DispatchQueue.test`
  static func dispatchQueueTest() {
    let queue = DispatchQueue.test
    let late = Just(1).delay(for: .seconds(1), scheduler: queue).received()
    expect(late.log, [])
    queue.advance(by: .seconds(1))
    expect(late.log, ["1", "finished"])
  }

  // combine-schedulers | `RunLoop.test`, `TestSchedulerOf<RunLoop>(now:)`
  static func runLoopTest() {
    let loop = TestSchedulerOf<RunLoop>(now: .init(Date(timeIntervalSinceReferenceDate: 0)))
    let late = Just(1).delay(for: .seconds(1), scheduler: loop).received()
    loop.advance(by: .seconds(1))
    expect(late.log, ["1", "finished"])
  }

  // combine-schedulers | `scheduler.advance(by: .seconds(1))`, `advance()`
  static func advance() async {
    let queue = DispatchQueue.test
    let runs = Mutex(0)
    queue.schedule { runs.withLock { $0 += 1 } }
    await queue.advance()
    expect(runs.withLock { $0 }, 1)
    queue.schedule(after: queue.now.advanced(by: .seconds(1))) { runs.withLock { $0 += 1 } }
    await queue.advance(by: .seconds(1))
    expect(runs.withLock { $0 }, 2)
  }

  // combine-schedulers | `scheduler.advance(to: date)`
  static func advanceTo() {
    let queue = DispatchQueue.test
    let date = queue.now.advanced(by: .seconds(5))
    queue.advance(to: date)
    expect(queue.now, date)
  }

  // combine-schedulers | `scheduler.run()`
  //
  // Differs: it throws after 10,000 actions.
  static func run() throws {
    let queue = DispatchQueue.test
    let late = Just(1).delay(for: .seconds(60), scheduler: queue).received()
    try queue.run()
    expect(late.log, ["1", "finished"])
    let timer = queue.schedule(after: queue.now, interval: .seconds(1)) {}
    do {
      try queue.run()
      fatalError("A timer has no end")
    } catch {
      expect(error.actions, 10_000)
    }
    timer.cancel()
  }

  // combine-schedulers | `DispatchQueue.immediate`
  static func immediate() {
    let scheduler: ImmediateSchedulerOf<DispatchQueue> = DispatchQueue.immediate
    expect(Just(1).receive(on: scheduler).received().log, ["1", "finished"])
  }

  // combine-schedulers | `DispatchQueue.unimplemented("search")`
  //
  // Differs: a use traps, unless there is a closure that reports it.
  static func unimplemented() {
    let reports = Mutex<[String]>([])
    DispatchQueue.unimplemented("search") { text in reports.withLock { $0.append(text) } }.schedule {}
    expect(reports.withLock(\.first)?.hasPrefix("The unimplemented scheduler search was asked"), true)
  }

  // combine-schedulers | `DispatchQueue.unimplemented("search")`
  //
  // Differs: a use traps, unless there is a closure that reports it.
  // Stops: The unimplemented scheduler search was asked to run an action
  static func use() { DispatchQueue.unimplemented("search").schedule {} }

  // combine-schedulers | `AnySchedulerOf<DispatchQueue>`, `eraseToAnyScheduler()`
  static func erased() {
    let queue = DispatchQueue.test
    let scheduler: AnySchedulerOf<DispatchQueue> = queue.eraseToAnyScheduler()
    let late = Just(1).delay(for: .seconds(1), scheduler: scheduler).received()
    queue.advance(by: .seconds(1))
    expect(late.log, ["1", "finished"])
  }

  // combine-schedulers | `await Task.megaYield()` before an assertion
  static func yields() async {
    let time = DispatchQueue.test
    let steps = Mutex(0)
    Task(executorPreference: time.executor) {
      for _ in 1...100 {
        await Task.yield()
        steps.withLock { $0 += 1 }
      }
    }
    await time.advance()
    expect(steps.withLock { $0 }, 100)
  }
}
