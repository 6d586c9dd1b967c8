// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// An actor without an executor of its own.
private actor Meter {
  private(set) var total = 0

  func add(_ number: Int) { total += number }
}

@Suite struct VirtualTimeExecutorTests {
  @Test func `A task does not run until the time is moved, and has stopped when the move returns`() {
    let (time, log) = (VirtualTimeScheduler(), Locked<[String]>([]))
    let note: @Sendable (String) -> Void = { text in log.change { $0.append("\(text) \(time.now)") } }
    Task(executorPreference: time.executor) {
      note("begins")
      try await time.clock.sleep(for: .seconds(1))
      note("wakes")
      try await time.clock.sleep(for: .seconds(1))
      note("ends")
    }
    #expect(log.value == [])
    time.advance()
    #expect(log.value == ["begins 0s"])
    time.advance(by: 1)
    #expect(log.value == ["begins 0s", "wakes 1s"])
    time.advance(by: 5)
    #expect(log.value == ["begins 0s", "wakes 1s", "ends 2s"])
    #expect(time.pending == [])
  }

  @Test func `Tasks that an action wakes run before the next action, in the order in which they were woken`() {
    let (time, log) = (VirtualTimeScheduler(), Locked<[String]>([]))
    let note: @Sendable (String) -> Void = { text in log.change { $0.append("\(text) \(time.now)") } }
    for name in ["a", "b"] {
      Task(executorPreference: time.executor) {
        try await time.clock.sleep(for: .seconds(1))
        note("\(name) wakes")
        await Task.yield()
        note("\(name) goes on")
      }
    }
    time.advance()
    time.schedule(after: 1) { note("timer") }
    time.advance(by: 1)
    #expect(
      log.value == ["a wakes 1s", "a goes on 1s", "b wakes 1s", "b goes on 1s", "timer 1s"])
  }

  @Test func `Child tasks and actors run in the turns of their task`() async throws {
    let (time, meter) = (VirtualTimeScheduler(), Meter())
    let task = Task(executorPreference: time.executor) {
      async let last: Void = time.clock.sleep(for: .seconds(9))
      await withTaskGroup { group in
        for number in 1...5 {
          group.addTask {
            try? await time.clock.sleep(for: .seconds(number))
            await meter.add(number)
          }
        }
      }
      try await last
    }
    await time.advance(by: 3)
    #expect(await meter.total == 6)
    await time.advance(by: 2)
    #expect(await meter.total == 15)
    #expect(time.pending == [9])
    await time.advance(by: 4)
    try await task.value
  }

  @Test func `A task of the executor moves the time, and the others run meanwhile`() async throws {
    let (time, log) = (VirtualTimeScheduler(), Locked<[String]>([]))
    let note: @Sendable (String) -> Void = { text in log.change { $0.append("\(text) \(time.now)") } }
    let task = Task(executorPreference: time.executor) {
      async let other: Void = {
        try await time.clock.sleep(for: .seconds(1))
        note("other wakes")
      }()
      await time.advance(by: 2)
      note("moved")
      try await other
      await time.advance(to: 5)
      return await time.step()
    }
    await time.advance()
    #expect(log.value == ["other wakes 1s", "moved 2s"])
    #expect(time.now == 5)
    #expect(try await task.value == false)
  }

  @Test func `A task of the executor waits for sleepers`() async throws {
    let time = VirtualTimeScheduler()
    let sleeper = Task(executorPreference: time.executor) { try await time.clock.sleep(for: .seconds(1)) }
    let task = Task(executorPreference: time.executor) {
      try await time.clock.sleepers()
      await time.advance(by: 1)
      try await sleeper.value
    }
    await time.advance()
    try await task.value
    #expect(time.now == 1)
  }

  @Test func `A step runs the tasks that are ready, one action, and the tasks that it woke`() async {
    let (time, count) = (VirtualTimeScheduler(), Locked(0))
    for second in 1...2 {
      Task(executorPreference: time.executor) {
        try await time.clock.sleep(for: .seconds(second))
        count.change { $0 += 1 }
      }
    }
    #expect(await time.step())
    #expect((count.value, time.now) == (1, 1))
    #expect(await time.step())
    #expect((count.value, time.now) == (2, 2))
    #expect(await !time.step())
  }

  @Test func `A task that never stops is named by the error of a run`() async throws {
    let time = VirtualTimeScheduler()
    let task = Task(executorPreference: time.executor) {
      while !Task.isCancelled { await Task.yield() }
    }
    Task(name: "poll", executorPreference: time.executor) { try await time.clock.sleep(for: .seconds(1)) }
    await #expect(
      throws: VirtualTimeBudgetExceeded(actions: 100, pending: ["1 task is ready", "1s (task \"poll\" sleeps)"])
    ) { try await time.run(maxActions: 100) }
    task.cancel()
    try await time.run()
    #expect(time.now == 1)
  }

  @Test func `A task that never lets time get further traps, with what is left`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let time = VirtualTimeScheduler()
        Task(executorPreference: time.executor) { while true { await Task.yield() } }
        time.advance(by: 2)
      }, "these are left: 1 task is ready")
  }

  @Test func `A task that never stops is a failure of the test, and no trap, where failures have a handler`() async {
    await #expect(processExitsWith: .success) {
      let failures = Locked<[TestFailure]>([])
      TestFailure.handle { failure in failures.change { $0.append(failure) } }
      let time = VirtualTimeScheduler()
      time.schedule(after: 1) {}
      let task = Task(executorPreference: time.executor) { while !Task.isCancelled { await Task.yield() } }
      await time.advance(by: 2)
      #expect(failures.value.count == 1)
      #expect(failures.value.first?.message.contains("these are left: 1 task is ready; 1s") == true)
      #expect(failures.value.first?.message.hasSuffix("The time stays at 0s.") == true)
      #expect(failures.value.first?.description.contains("VirtualTimeExecutorTests.swift:") == true)
      await time.advance(to: 2)
      #expect(await time.step())
      #expect(failures.value.count == 3)
      #expect(time.now == 0)
      task.cancel()
      await time.advance(by: 2)
      #expect(time.now == 2)
      await task.value
      func again() { time.schedule(after: 2, again) }
      again()
      await time.advance(by: 1)
      #expect(failures.value.count == 4)
      #expect(time.now == 2)
    }
  }

  @Test func `A wait that is over at once runs no task, and one runs none after its end`() async throws {
    for _ in 1...200 {
      let (time, count) = (VirtualTimeScheduler(), Locked(0))
      for _ in 1...3 {
        Task(executorPreference: time.executor) {
          count.change { $0 += 1 }
          time.schedule(after: 1) {}
        }
      }
      try await time.scheduled(0)
      #expect(count.value == 0)
      try await time.scheduled(1)
      #expect(count.value == 1)
      await time.advance(by: 1)
      #expect(count.value == 3)
    }
  }

  @Test func `Waits on several threads and of tasks of the executor end`() async throws {
    let time = VirtualTimeScheduler()
    for round in 1...50 {
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { try? await time.clock.sleepers(4) } }
        for _ in 0..<2 { group.addTask(executorPreference: time.executor) { try? await time.scheduled(4) } }
        for number in 0..<4 {
          group.addTask(executorPreference: number < 2 ? time.executor : nil) {
            try? await time.clock.sleep(until: .init(VirtualTime(nanoseconds: round)), tolerance: nil)
          }
        }
        for _ in 0..<5 { await group.next() }
        await time.advance(to: VirtualTime(nanoseconds: round))
      }
    }
    #expect(time.pending == [])
  }

  @Test func `A task that never stops keeps the time from moving for another one, and traps`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let time = VirtualTimeScheduler()
        let task = Task(executorPreference: time.executor) {
          try await time.scheduled(1)
          Task(executorPreference: time.executor) { while true { await Task.yield() } }
          await time.advance(by: 1)
        }
        await time.advance()
        time.schedule(after: 5) {}
        try await task.value
      }, "these are left: 1 task is ready")
  }

  @Test func `A task that polls is named by the error of a run`() throws {
    let time = VirtualTimeScheduler()
    Task(name: "poll", executorPreference: time.executor) {
      while true { try await time.clock.sleep(for: .seconds(1)) }
    }
    do {
      try time.run(maxActions: 100)
      Issue.record("it has no end")
    } catch {
      #expect(error.actions == 100)
      #expect(error.pending.contains { $0.hasSuffix("(task \"poll\" sleeps)") || $0 == "1 task is ready" })
    }
  }

  @Test func `Pipelines and tasks have one time`() async throws {
    let (time, typed) = (VirtualTimeScheduler(), PassthroughSubject<String, Never>())
    let found = Locked<[String]>([])
    let search = typed.debounce(for: 0.3, scheduler: time).sink { text in
      Task(executorPreference: time.executor) {
        try await time.clock.sleep(for: .seconds(2))
        found.change { $0.append("\(text) \(time.now)") }
      }
    }
    typed.send("ga")
    await time.advance(by: 0.2)
    typed.send("gate")
    await time.advance(by: 2.25)
    #expect(found.value == [])
    await time.advance(by: 0.05)
    #expect(found.value == ["gate 2.5s"])
    search.cancel()
  }

  @Test(arguments: 0..<100)
  func `Tests that run at the same time do not meet`(_ number: Int) async throws {
    let time = VirtualTimeScheduler()
    let log = Locked<[VirtualTime]>([])
    let tasks = (1...5).map { second in
      Task(executorPreference: time.executor) {
        for _ in 0..<10 {
          try await time.clock.sleep(for: .seconds(second))
          log.change { $0.append(time.now) }
        }
      }
    }
    let outside = Task { try await time.clock.sleep(for: .seconds(1_000 + number)) }
    try await time.clock.sleepers(6)
    for second in 1...50 {
      await time.advance(by: 1)
      #expect(log.value.count == (1...5).reduce(0) { $0 + min(second / $1, 10) })
    }
    for task in tasks { try await task.value }
    #expect(time.pending == [VirtualTime(nanoseconds: (1_000 + number) * 1_000_000_000)])
    await time.advance(by: 1_100)
    try await outside.value
  }

  @Test func `Threads move the time and wait at once, and no task is lost`() async throws {
    let (time, count) = (VirtualTimeScheduler(), Locked(0))
    await withTaskGroup { group in
      for second in 1...100 {
        group.addTask(executorPreference: time.executor) {
          try? await time.clock.sleep(for: .seconds(second % 10 + 1))
          count.change { $0 += 1 }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 { await time.advance(by: 0.25) }
          try? await time.clock.sleepers(0)
        }
      }
    }
    #expect(count.value == 100)
  }
}
