// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct VirtualTimeSchedulerTests {
  private typealias Entry = (what: String, now: VirtualTime)

  /// A scheduler, and a log of its actions with their times.
  private final class Bench: @unchecked Sendable {
    let scheduler = VirtualTimeScheduler()
    private(set) var log: [String] = []

    func note(_ what: String) { log.append("\(what) \(scheduler.now)") }

    func at(_ date: VirtualTime, _ what: String) {
      scheduler.schedule(after: date) { [unowned self] in note(what) }
    }

    func every(_ interval: VirtualTime.Stride, from date: VirtualTime, _ what: String) -> any Cancellable {
      scheduler.schedule(after: date, interval: interval) { [unowned self] in note(what) }
    }
  }

  @Test func `Nothing runs until time is moved, and then in the order of the dates`() {
    let bench = Bench()
    bench.at(2, "b")
    bench.at(1, "a")
    bench.at(3, "c")
    bench.scheduler.schedule { bench.note("now") }
    #expect(bench.log.isEmpty)
    #expect(bench.scheduler.pending == [0, 1, 2, 3])
    bench.scheduler.advance(by: 2)
    #expect(bench.log == ["now 0s", "a 1s", "b 2s"])
    #expect(bench.scheduler.now == 2)
    bench.scheduler.advance(to: 10)
    #expect(bench.log.last == "c 3s")
    #expect(bench.scheduler.now == 10)
    #expect(bench.scheduler.pending.isEmpty)
  }

  @Test func `Advancing by nothing runs what is due now, with no tick added`() {
    let bench = Bench()
    bench.scheduler.schedule { bench.note("now") }
    bench.at(0, "zero")
    bench.at(VirtualTime(nanoseconds: 1), "later")
    bench.scheduler.advance()
    #expect(bench.log == ["now 0s", "zero 0s"])
    #expect(bench.scheduler.now == 0)
  }

  @Test func `Work with the same date runs in the order in which it was scheduled, repeating work included`() {
    let bench = Bench()
    let slow = bench.every(2, from: 2, "every two")
    let quick = bench.every(1, from: 1, "every one")
    for number in 1...3 { bench.at(4, "once \(number)") }
    bench.scheduler.advance(by: 4)
    #expect(
      bench.log == [
        "every one 1s", "every two 2s", "every one 2s", "every one 3s", "every two 4s", "every one 4s", "once 1 4s",
        "once 2 4s", "once 3 4s",
      ])
    withExtendedLifetime((slow, quick)) {}
  }

  @Test func `Work for the past runs next, and time does not turn back`() {
    let bench = Bench()
    bench.scheduler.advance(to: 5)
    bench.at(6, "later")
    bench.at(1, "late")
    bench.scheduler.advance(by: 0)
    #expect(bench.log == ["late 5s"])
    #expect(bench.scheduler.now == 5)
  }

  @Test func `Work that is scheduled by work runs in the same move of the time, if it is due`() {
    let bench = Bench()
    bench.scheduler.schedule(after: 1) {
      bench.note("outer")
      bench.scheduler.schedule { bench.note("at once") }
      bench.at(2, "in time")
      bench.at(9, "too late")
      bench.note("outer ends")
    }
    bench.scheduler.advance(by: 2)
    #expect(bench.log == ["outer 1s", "outer ends 1s", "at once 1s", "in time 2s"])
    #expect(bench.scheduler.pending == [9])
  }

  @Test func `Work may move the time`() {
    let bench = Bench()
    bench.at(2, "b")
    bench.at(4, "d")
    bench.scheduler.schedule(after: 1) {
      bench.scheduler.advance(by: 2)
      bench.note("a")
    }
    bench.scheduler.advance(to: 3.5)
    #expect(bench.log == ["b 2s", "a 3s"])
    #expect(bench.scheduler.now == 3.5)
  }

  @Test func `Tick number k is due at the start and k intervals, whatever the actions do`() {
    let scheduler = VirtualTimeScheduler()
    let third = VirtualTime.Stride(nanoseconds: 333_333_333)
    var dates: [VirtualTime] = []
    let timer = scheduler.schedule(after: 1, interval: third) {
      dates.append(scheduler.now)
      // Work that takes time: the clock advances during it.
      if dates.count.isMultiple(of: 7) { scheduler.advance(by: .milliseconds(100)) }
    }
    scheduler.advance(to: 4_000)
    #expect(dates.count > 10_000)
    #expect(
      dates == dates.indices.map { VirtualTime(nanoseconds: 1_000_000_000 + $0 * 333_333_333) })
    timer.cancel()
  }

  @Test func `Repeating work can be cancelled during its first run, and then never runs again`() {
    let scheduler = VirtualTimeScheduler()
    var timer: (any Cancellable)?
    var runs = 0
    timer = scheduler.schedule(after: 1, interval: 1) {
      runs += 1
      timer?.cancel()
    }
    scheduler.advance(to: 10)
    #expect(runs == 1)
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `Repeating work stops when its cancellable goes`() {
    let bench = Bench()
    do {
      let timer = bench.every(1, from: 1, "tick")
      bench.scheduler.advance(by: 1)
      withExtendedLifetime(timer) {}
    }
    bench.scheduler.advance(by: 5)
    #expect(bench.log == ["tick 1s"])
  }

  @Test func `Cancelled work moves no time, takes no place and keeps nothing`() {
    let scheduler = VirtualTimeScheduler()
    var graveyard = Graveyard()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      for _ in 0..<100 {
        scheduler.schedule(after: 1, interval: 1) { withExtendedLifetime(canary) {} }.cancel()
      }
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(scheduler.pending.isEmpty)
    #expect(!scheduler.step())
    #expect(scheduler.now == 0)
  }

  @Test func `Work that has been run is freed`() {
    let scheduler = VirtualTimeScheduler()
    var graveyard = Graveyard()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      scheduler.schedule { withExtendedLifetime(canary) {} }
    }
    #expect(graveyard.survivors == ["closure"])
    scheduler.advance()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A step runs one piece of work`() {
    let bench = Bench()
    bench.at(1, "a")
    bench.at(1, "b")
    #expect(bench.scheduler.step())
    #expect(bench.log == ["a 1s"])
    #expect(bench.scheduler.step())
    #expect(!bench.scheduler.step())
    #expect(bench.log == ["a 1s", "b 1s"])
  }

  @Test func `Running goes on until nothing is left`() throws {
    let bench = Bench()
    bench.scheduler.schedule(after: 1) { bench.at(8, "b") }
    try bench.scheduler.run()
    #expect(bench.log == ["b 8s"])
    #expect(bench.scheduler.now == 8)
    bench.at(9, "c")
    bench.at(20, "d")
    try bench.scheduler.run(until: 10)
    #expect(bench.log == ["b 8s", "c 9s"])
    #expect(bench.scheduler.now == 10)
  }

  @Test func `A run that exceeds its budget says what is left`() {
    let bench = Bench()
    let timer = bench.every(1, from: 1, "tick")
    bench.at(12.5, "once")
    #expect(throws: VirtualTimeBudgetExceeded(actions: 10, pending: ["11s, every 1s", "12.5s"])) {
      try bench.scheduler.run(maxActions: 10)
    }
    #expect(bench.log.count == 10)
    #expect(throws: VirtualTimeBudgetExceeded.self) { try bench.scheduler.run(until: 100, maxActions: 5) }
    // Exactly as many actions as are due are permitted.
    #expect(throws: Never.self) { try bench.scheduler.run(until: 20, maxActions: 6) }
    #expect(throws: VirtualTimeBudgetExceeded.self) { try bench.scheduler.run(maxActions: 0) }
    timer.cancel()
  }

  @Test func `An error about the budget reads well`() {
    let error = VirtualTimeBudgetExceeded(actions: 10, pending: ["11s, every 1s", "12.5s"])
    #expect("\(error)" == "10 actions were run, and these are left: 11s, every 1s; 12.5s")
  }

  @Test func `Time that is turned back traps`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        VirtualTimeScheduler(now: 3).advance(to: 2)
      }, "forward only")
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        VirtualTimeScheduler(now: 3).advance(by: -1)
      }, "forward only")
  }

  @Test func `Work that never lets time get further traps, with what is left`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = VirtualTimeScheduler()
        func again() { scheduler.schedule(after: 1, again) }
        again()
        scheduler.advance(by: 2)
      }, "these are left: 1s")
  }

  @Test func `Schedulers stand in for those with other times and options`() {
    let scheduler = VirtualTimeScheduler<ImmediateScheduler.SchedulerTimeType, String>(
      now: ImmediateScheduler.shared.now, minimumTolerance: 2)
    #expect(scheduler.minimumTolerance == 2)
    var ran = false
    scheduler.schedule(options: "quickly") { ran = true }
    scheduler.advance()
    #expect(ran)
  }

  @Test func `Threads schedule and cancel while another one moves the time`() {
    for _ in 0..<20 {
      let scheduler = VirtualTimeScheduler()
      let runs = Locked(0)
      onThreads([
        { for _ in 0..<200 { scheduler.advance(by: 0.01) } },
        { for index in 0..<200 { scheduler.schedule(after: .init(nanoseconds: index)) { runs.change { $0 += 1 } } } },
        { for _ in 0..<200 { scheduler.schedule(after: scheduler.now, interval: 0.01) {}.cancel() } },
        { for _ in 0..<50 { _ = (scheduler.now, scheduler.pending, scheduler.step()) } },
        { for _ in 0..<50 { #expect(throws: Never.self) { try scheduler.run(until: scheduler.now) } } },
      ])
      scheduler.advance(by: 10)
      #expect(runs.value == 200)
      #expect(scheduler.pending.isEmpty)
    }
  }

  /// A time that runs code between the scheduler's read of the present and its next step.
  private struct InterruptedTime: Strideable, Sendable {
    static let interruption = Locked<(@Sendable () -> Void)?>(nil)

    var base: VirtualTime

    func distance(to other: Self) -> VirtualTime.Stride { base.distance(to: other.base) }

    func advanced(by n: VirtualTime.Stride) -> Self {
      Self.interruption.change { interruption in
        defer { interruption = nil }
        return interruption
      }?()
      return Self(base: base.advanced(by: n))
    }
  }

  @Test func `Time that another thread moves past the end of an advance is not turned back`() {
    let scheduler = VirtualTimeScheduler<InterruptedTime, Never>(now: .init(base: 0))
    let ran = Locked(false)
    scheduler.schedule(after: .init(base: 5)) { ran.change { $0 = true } }
    InterruptedTime.interruption.change { $0 = { elsewhere { scheduler.step() } } }
    scheduler.advance(by: 1)
    #expect(ran.value)
    #expect(scheduler.now.base == 5)
  }

  @Test func `No lock is held while work runs`() {
    let scheduler = VirtualTimeScheduler()
    let ran = Locked(false)
    scheduler.schedule(after: 1) {
      elsewhere {
        scheduler.schedule { ran.change { $0 = true } }
        _ = (scheduler.now, scheduler.pending)
        scheduler.advance(by: 1)
      }
    }
    scheduler.advance(by: 1)
    #expect(ran.value)
    #expect(scheduler.now == 2)
  }
}
