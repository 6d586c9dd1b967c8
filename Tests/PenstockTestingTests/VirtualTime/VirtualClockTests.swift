// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct VirtualClockTests {
  /// Starts a task on Swift's own threads that sleeps, and returns the time at which it woke.
  private func sleeper(_ time: VirtualTimeScheduler<VirtualTime, Never>, until date: VirtualTime)
    -> Task<VirtualTime, any Error>
  {
    Task {
      try await time.clock.sleep(until: .init(date), tolerance: nil)
      return time.now
    }
  }

  @Test func `A task sleeps until the time has come`() async throws {
    let time = VirtualTimeScheduler()
    let (first, second) = (sleeper(time, until: 2), sleeper(time, until: 1))
    try await time.clock.sleepers(2)
    await time.advance(by: 1)
    #expect(try await second.value == 1)
    #expect(time.pending == [2])
    await time.advance(by: 1)
    #expect(try await first.value == 2)
    #expect(time.pending == [])
  }

  @Test(.timeLimit(.minutes(5)))
  func `A task does not sleep until a time that has been reached`() async throws {
    let time = VirtualTimeScheduler()
    await time.advance(by: 2)
    for date in [0, 1, 2] as [VirtualTime] {
      try await time.clock.sleep(until: .init(date), tolerance: nil)
    }
    #expect(time.now == 2)
    #expect(time.pending == [])
  }

  @Test func `A task that is cancelled wakes at once, and leaves nothing behind`() async throws {
    let time = VirtualTimeScheduler()
    let task = sleeper(time, until: 5)
    try await time.clock.sleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(time.pending == [])
  }

  @Test func `A task that is cancelled before it sleeps does not sleep`() async {
    let time = VirtualTimeScheduler()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await time.clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(time.pending == [])
  }

  @Test func `Durations are rounded to nanoseconds, and clamped`() {
    #expect(VirtualTime.Stride(.milliseconds(1_500)) == 1.5)
    #expect(VirtualTime.Stride(.seconds(Int64.max)) == .nanoseconds(.max))
    let instant = VirtualClock.Instant(1)
    #expect(instant.advanced(by: .seconds(2)).time == 3)
    #expect(instant.duration(to: .init(0.5)) == .milliseconds(-500))
    #expect(instant < instant.advanced(by: .nanoseconds(1)))
  }

  @Test func `A timer that is pending does not count as a task that sleeps`() async throws {
    let time = VirtualTimeScheduler()
    time.schedule(after: 0.5) {}
    let woken = Locked(false)
    let wait = Task(executorPreference: time.executor) {
      try await time.clock.sleepers()
      woken.change { $0 = true }
    }
    await time.advance()
    #expect(!woken.value)
    let task = sleeper(time, until: 1)
    try await wait.value
    #expect(time.pending == [0.5, 1])
    await time.advance(by: 1)
    #expect(try await task.value == 1)
  }

  @Test func `Waiting for sleepers lets the tasks of the executor run`() async throws {
    let time = VirtualTimeScheduler()
    let tasks = (1...20).map { number in
      Task(executorPreference: time.executor) {
        try await time.clock.sleep(for: .seconds(number))
        return time.now
      }
    }
    try await time.clock.sleepers(20)
    #expect(time.pending.count == 20)
    await time.advance(by: 20)
    for (index, task) in tasks.enumerated() { #expect(try await task.value.nanoseconds == (index + 1) * 1_000_000_000) }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A wait that is cancelled says what it waited for, where, and what was scheduled`() async throws {
    let time = VirtualTimeScheduler()
    time.labeled("debounce").schedule(after: 0.5) {}
    let wait = Task { () -> VirtualTimeWaitEnded? in
      do throws(VirtualTimeWaitEnded) { try await time.clock.sleepers(2) } catch { return error }
      return nil
    }
    let line = #line - 3
    let sleeper = Task(name: "poll") { try await time.clock.sleep(for: .seconds(5)) }
    try await time.clock.sleepers(1)
    wait.cancel()
    let error = try #require(await wait.value)
    #expect(error.reason == .cancelled)
    #expect(error.place == "PenstockTestingTests/VirtualClockTests.swift:\(line)")
    #expect(
      "\(error)".hasPrefix(
        "sleepers(2) at PenstockTestingTests/VirtualClockTests.swift:\(line) was cancelled; scheduled: 0.5s (debounce, "
      ))
    #expect(error.pending.last == "5s (task \"poll\" sleeps)")
    sleeper.cancel()
  }

  @Test func `A wait gives up after its budget of events`() async {
    let time = VirtualTimeScheduler()
    let task = Task(executorPreference: time.executor) {
      while !Task.isCancelled { await Task.yield() }
    }
    await #expect(throws: VirtualTimeWaitEnded.self) { try await time.clock.sleepers(1, maxEvents: 100) }
    do throws(VirtualTimeWaitEnded) {
      try await time.scheduled(1, maxEvents: 50)
      Issue.record("nothing has been scheduled")
    } catch {
      #expect(error.reason == .tooManyEvents(50))
      #expect("\(error)".hasSuffix("gave up after 50 events; scheduled: 1 task is ready"))
    }
    task.cancel()
    await time.advance()
    await task.value
  }

  @Test func `A clock of a scheduler with another type of time begins at zero`() async throws {
    let time = TestScheduler<Seconds, Never>(now: Seconds(value: 700_000_000))
    #expect(time.clock.now.time == .zero)
    let task = Task(executorPreference: time.executor) {
      try await time.clock.sleep(for: .milliseconds(1_500))
      return time.now.value
    }
    await time.advance(by: 1.25)
    #expect(time.clock.now.time == 1.25)
    await time.advance(by: 0.25)
    #expect(try await task.value == 700_000_001.5)
  }

  @Test(arguments: [0, 1, 2, 3, 1_000, 300_000_000, 999_999_999, Int.max / 2, Int.max - 1])
  func `The time of a clock is exact to the nanosecond`(_ nanoseconds: Int) async {
    let time = TestScheduler<Nanoseconds, Never>(now: Nanoseconds(value: 0))
    await time.advance(to: Nanoseconds(value: nanoseconds))
    #expect(time.clock.now.time.nanoseconds == nanoseconds)
    await time.advance(by: 1)
    #expect(time.clock.now.time.nanoseconds == min(Int.max - 1_000_000_000, nanoseconds) + 1_000_000_000)
  }
}

/// A time that is counted in seconds, with fractions, as that of a run loop.
private struct Seconds: Strideable {
  struct Stride: SignedNumeric, Comparable, ExpressibleByFloatLiteral, SchedulerTimeIntervalConvertible {
    var magnitude: Double

    init(_ seconds: Double) { magnitude = seconds }
    init(integerLiteral value: Double) { magnitude = value }
    init(floatLiteral value: Double) { magnitude = value }
    init?<T: BinaryInteger>(exactly source: T) { magnitude = Double(source) }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
    static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
    static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
    static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

    static func seconds(_ s: Int) -> Self { Self(Double(s)) }
    static func seconds(_ s: Double) -> Self { Self(s) }
    static func milliseconds(_ ms: Int) -> Self { Self(Double(ms) / 1e3) }
    static func microseconds(_ us: Int) -> Self { Self(Double(us) / 1e6) }
    static func nanoseconds(_ ns: Int) -> Self { Self(Double(ns) / 1e9) }
  }

  var value: Double

  func distance(to other: Self) -> Stride { Stride(other.value - value) }
  func advanced(by n: Stride) -> Self { Self(value: value + n.magnitude) }
}

/// A time that is not the product's, with its intervals.
private struct Nanoseconds: Strideable {
  var value: Int

  func distance(to other: Nanoseconds) -> VirtualTime.Stride { .nanoseconds(other.value - value) }
  func advanced(by n: VirtualTime.Stride) -> Nanoseconds {
    Nanoseconds(value: VirtualTime(nanoseconds: value).advanced(by: n).nanoseconds)
  }
}
