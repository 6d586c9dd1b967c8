// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// A loop that runs when the test says so.
private final class Loop: Sendable {
  private let blocks = Locked<[@Sendable () -> Void]>([])
  private let waits = Locked<[(Duration, @Sendable () -> Void)]>([])

  var count: Int { blocks.value.count }
  var delays: [Duration] { waits.value.map(\.0) }

  func post(_ block: @escaping @Sendable () -> Void) { blocks.change { $0.append(block) } }

  func post(after delay: Duration, _ block: @escaping @Sendable () -> Void) {
    waits.change { $0.append((delay, block)) }
  }

  /// Runs one block; `false` if there is none.
  @discardableResult
  func turn() -> Bool {
    let block = blocks.change { $0.isEmpty ? nil : $0.removeFirst() }
    block?()
    return block != nil
  }

  func run() { while turn() {} }

  /// Ends all waits, whether their time has passed or not.
  func wake() {
    let all = waits.change { waits -> [@Sendable () -> Void] in
      defer { waits = [] }
      return waits.map(\.1)
    }
    for block in all { block() }
  }
}

@Suite struct LoopSchedulerTests {
  private let loop = Loop()
  private let time = VirtualTimeScheduler()
  private let performed = Locked<[Int]>([])

  private func scheduler(later: Bool = false) -> LoopScheduler<VirtualClock> {
    let clock = VirtualClock(time)
    if !later { return LoopScheduler(clock: clock) { [loop] in loop.post($0) } }
    return LoopScheduler(clock: clock, later: { [loop] in loop.post(after: $0, $1) }, post: { [loop] in loop.post($0) })
  }

  private func note(_ number: Int) { performed.change { $0.append(number) } }

  @Test func `Actions are performed on the loop, in order, and one block brings what waits`() {
    let scheduler = scheduler()
    for number in 0..<3 { scheduler.schedule { note(number) } }
    #expect(performed.value == [] && loop.count == 1)
    loop.turn()
    #expect(performed.value == [0, 1, 2])
    loop.run()
    scheduler.schedule { note(3) }
    loop.run()
    #expect(performed.value == [0, 1, 2, 3] && loop.count == 0)
  }

  @Test func `The loop gets to its other work between many actions`() {
    let scheduler = scheduler()
    for number in 0..<1_000 { scheduler.schedule { note(number) } }
    loop.turn()
    #expect(performed.value.count == 256)
    loop.post { [performed] in performed.change { $0.append(-1) } }
    loop.run()
    #expect(performed.value.firstIndex(of: -1).map { $0 < 1_000 } == true)
    #expect(performed.value.filter { $0 >= 0 } == Array(0..<1_000))
  }

  @Test func `An action that is scheduled during another one comes after it`() {
    let scheduler = scheduler()
    scheduler.schedule {
      scheduler.schedule { note(2) }
      note(1)
    }
    loop.run()
    #expect(performed.value == [1, 2])
  }

  @Test func `A date is waited for by the clock, and its action performed on the loop`() {
    let scheduler = scheduler()
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(2))) { note(2) }
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { note(1) }
    scheduler.schedule(after: scheduler.now) { note(0) }
    loop.run()
    #expect(performed.value == [0])
    time.advance(by: 1)
    #expect(performed.value == [0])
    loop.run()
    time.advance(by: 1)
    loop.run()
    #expect(performed.value == [0, 1, 2])
  }

  @Test func `A loop that can wait is asked for the time that is left, again if it was early`() {
    let scheduler = scheduler(later: true)
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(2))) { note(1) }
    #expect(loop.delays == [.seconds(2)])
    time.advance(by: 1.5)
    loop.wake()
    loop.run()
    #expect(performed.value == [] && loop.delays == [.milliseconds(500)])
    time.advance(by: 0.5)
    loop.wake()
    loop.run()
    #expect(performed.value == [1] && loop.delays == [])
  }

  @Test(arguments: [true, false])
  func `Ticks keep their rhythm, and none comes after a cancel`(_ isLater: Bool) {
    let scheduler = scheduler(later: isLater)
    let ticks = scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1)), interval: .seconds(1)) { note(1) }
    for _ in 0..<3 {
      time.advance(by: 1)
      loop.wake()
      loop.run()
    }
    #expect(performed.value.count == 3)
    time.advance(by: 1)
    loop.wake()
    ticks.cancel()
    loop.run()
    time.advance(by: 5)
    loop.wake()
    loop.run()
    #expect(performed.value.count == 3 && loop.delays == [] && loop.count == 0)
  }

  @Test func `Operators of time work on it`() {
    let (scheduler, subject) = (scheduler(later: true), PassthroughSubject<Int, Never>())
    let cancellable = subject.debounce(for: .seconds(1), scheduler: scheduler).sink { note($0) }
    for value in 1...2 {
      subject.send(value)
      loop.run()
      time.advance(by: 0.5)
    }
    for _ in 0..<4 {
      time.advance(by: 0.5)
      loop.wake()
      loop.run()
    }
    #expect(performed.value == [2])
    cancellable.cancel()
  }

  @Test func `Actions of several threads are all performed, those of each in order`() {
    let scheduler = scheduler()
    onThreads(3) { thread in
      for number in 0..<300 {
        scheduler.schedule { note(thread * 1_000 + number) }
        if thread == 0 { loop.turn() }
      }
    }
    loop.run()
    for thread in 0..<3 {
      #expect(performed.value.filter { $0 / 1_000 == thread } == (0..<300).map { thread * 1_000 + $0 })
    }
  }

  @Test func `Nothing is kept when all has been performed`() {
    var graveyard = Graveyard()
    let scheduler = scheduler(later: true)
    do {
      let canary = graveyard.watch(Canary(), "action")
      scheduler.schedule { withExtendedLifetime(canary) {} }
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { withExtendedLifetime(canary) {} }
      let ticks = scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1)), interval: .seconds(1)) {
        withExtendedLifetime(canary) {}
      }
      ticks.cancel()
    }
    loop.run()
    time.advance(by: 1)
    loop.wake()
    loop.run()
    #expect(graveyard.survivors.isEmpty)
  }
}
