// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// A timer on a scheduler that runs its alarms early, late, again, or during the call that schedules them.
@Suite struct RestartableTimerTests {
  /// A scheduler that keeps the block of every alarm, the cancelled ones too.
  private final class HeldScheduler: Scheduler, @unchecked Sendable {
    // `@unchecked`: one thread at a time uses it.

    typealias SchedulerTimeType = VirtualTime
    typealias SchedulerOptions = Never

    var now: VirtualTime = 0
    var minimumTolerance: VirtualTime.Stride { 0 }
    var dates: [VirtualTime] = []
    var blocks: [() -> Void] = []
    var cancelled: [Int] = []
    /// Called before an alarm's call returns.
    var onAlarm: (() -> Void)?

    func schedule(options: Never?, _ action: @escaping () -> Void) { Issue.record("a block without a date") }

    func schedule(
      after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
    ) { Issue.record("a block that cannot be cancelled") }

    func schedule(
      after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
      _ action: @escaping () -> Void
    ) -> any Cancellable {
      let number = blocks.count
      dates.append(date)
      blocks.append(action)
      onAlarm.take()?()
      return AnyCancellable { [weak self] in self?.cancelled.append(number) }
    }
  }

  /// A timer, and the settings that it has fired.
  private final class Owner<Payload>: @unchecked Sendable {
    // `@unchecked`: one thread at a time uses it.

    let scheduler = HeldScheduler()
    let timer: RestartableTimer<Payload, HeldScheduler>
    var fired: [Payload] = []

    init() { timer = RestartableTimer(3, scheduler, options: nil) }

    func set(_ payload: Payload, at date: VirtualTime) {
      scheduler.now = date
      timer.set(payload) { number in { self.fire(number) } }
    }

    private func fire(_ number: UInt) {
      _ = timer.fire(number, block: { number in { self.fire(number) } }) {
        fired.append($0)
        return true
      }
    }

    /// Ends the cycle of references with the scheduler's blocks.
    func end() { scheduler.blocks = [] }
  }

  @Test func `A timer that is paused keeps its alarm for the next setting`() {
    let owner = Owner<Int>()
    owner.set(1, at: 0)
    owner.timer.pause()
    #expect(owner.timer.payload == nil)
    owner.set(2, at: 1)
    #expect(owner.scheduler.dates == [3])
    #expect(owner.scheduler.cancelled == [])
    owner.scheduler.blocks[0]()
    #expect(owner.fired == [])
    #expect(owner.scheduler.dates == [3, 4])
    owner.scheduler.blocks[1]()
    #expect(owner.fired == [2])
    #expect(owner.scheduler.cancelled == [0, 1])
    owner.end()
  }

  @Test func `An alarm that goes off during a pause does nothing, and the next setting has its own`() {
    let owner = Owner<Int>()
    owner.set(1, at: 0)
    owner.timer.pause()
    owner.scheduler.blocks[0]()
    owner.scheduler.blocks[0]()
    #expect(owner.fired == [])
    #expect(owner.scheduler.dates == [3])
    #expect(owner.scheduler.cancelled == [0])
    owner.set(2, at: 4)
    #expect(owner.scheduler.dates == [3, 7])
    owner.scheduler.blocks[1]()
    #expect(owner.fired == [2])
    owner.end()
  }

  private final class Payload {}

  @Test func `What a pause ends is released, and a cancel during it cancels the alarm`() {
    let owner = Owner<AnyObject>()
    weak var payload: AnyObject?
    do {
      let object = Payload()
      payload = object
      owner.set(object, at: 0)
    }
    #expect(payload != nil)
    owner.timer.pause()
    #expect(payload == nil)
    owner.timer.cancel()
    #expect(owner.scheduler.cancelled == [0])
    owner.end()
  }

  @Test func `One alarm at a time is scheduled, for the latest date that is known when it is`() {
    let owner = Owner<Int>()
    owner.set(1, at: 0)
    owner.set(2, at: 1)
    owner.set(3, at: 2)
    #expect(owner.scheduler.dates == [3])
    owner.scheduler.blocks[0]()
    #expect(owner.scheduler.dates == [3, 5])
    #expect(owner.scheduler.cancelled == [0])
    #expect(owner.fired == [])
    #expect(owner.timer.payload == 3)
    owner.scheduler.blocks[1]()
    #expect(owner.fired == [3])
    #expect(owner.scheduler.cancelled == [0, 1])
    #expect(owner.timer.payload == nil)
    owner.set(4, at: 9)
    #expect(owner.scheduler.dates == [3, 5, 12])
    owner.end()
  }

  @Test func `An alarm that goes off once more does nothing`() {
    let owner = Owner<Int>()
    owner.set(1, at: 0)
    owner.set(2, at: 1)
    owner.scheduler.blocks[0]()
    owner.scheduler.blocks[0]()
    #expect(owner.scheduler.dates == [3, 4])
    owner.scheduler.blocks[1]()
    for block in owner.scheduler.blocks { block() }
    #expect(owner.fired == [2])
    owner.set(3, at: 5)
    for block in owner.scheduler.blocks.prefix(2) { block() }
    #expect(owner.fired == [2])
    owner.end()
  }

  @Test func `An alarm that goes off before its call has returned fires, and is cancelled by that call`() {
    let owner = Owner<Int>()
    owner.scheduler.onAlarm = { owner.scheduler.blocks[0]() }
    owner.set(1, at: 0)
    #expect(owner.fired == [1])
    #expect(owner.scheduler.cancelled == [0])
    owner.scheduler.onAlarm = { elsewhere { owner.scheduler.blocks[1]() } }
    owner.set(2, at: 1)
    #expect(owner.fired == [1, 2])
    #expect(owner.scheduler.cancelled == [0, 1])
    owner.end()
  }

  @Test func `A setting while an alarm is being scheduled counts`() {
    let owner = Owner<Int>()
    owner.set(1, at: 0)
    owner.set(2, at: 1)
    owner.scheduler.onAlarm = { elsewhere { owner.set(3, at: 2) } }
    owner.scheduler.blocks[0]()
    #expect(owner.scheduler.dates == [3, 4])
    owner.scheduler.blocks[1]()
    #expect(owner.scheduler.dates == [3, 4, 5])
    owner.scheduler.blocks[2]()
    #expect(owner.fired == [3])
    #expect(owner.scheduler.cancelled == [0, 1, 2])
    owner.end()
  }

  @Test func `Two alarms that are decided on while each other is scheduled leave none behind`() {
    let owner = Owner<Int>()
    owner.set(1, at: 0)
    owner.set(2, at: 1)
    owner.scheduler.onAlarm = {
      owner.set(3, at: 2)
      owner.scheduler.blocks[1]()
    }
    owner.scheduler.blocks[0]()
    #expect(owner.scheduler.dates == [3, 4, 5])
    #expect(owner.scheduler.cancelled == [0, 1])
    owner.scheduler.blocks[2]()
    #expect(owner.fired == [3])
    #expect(owner.scheduler.cancelled == [0, 1, 2])
    owner.end()
  }

  @Test func `A clock that is set back replaces the alarm`() {
    let owner = Owner<Int>()
    owner.set(1, at: 10)
    owner.set(2, at: 5)
    #expect(owner.scheduler.dates == [13, 8])
    #expect(owner.scheduler.cancelled == [0])
    owner.scheduler.blocks[0]()
    #expect(owner.fired == [])
    owner.scheduler.blocks[1]()
    #expect(owner.fired == [2])
    owner.end()
  }

  @Test func `A clock that stands still does not keep the timer from firing`() {
    let owner = Owner<Int>()
    for payload in 1...3 { owner.set(payload, at: 0) }
    owner.scheduler.blocks[0]()
    #expect(owner.fired == [3])
    #expect(owner.scheduler.dates == [3])
    owner.end()
  }

  enum Moment: CaseIterable {
    case before, set, moved, setAnew, during, duringTheFirst, fired
  }

  @Test(arguments: Moment.allCases)
  func `After a cancel nothing is scheduled, nothing fires, and nothing is kept`(_ moment: Moment) {
    var graveyard = Graveyard()
    let owner = Owner<Canary>()
    let scheduler = owner.scheduler
    if moment == .duringTheFirst { scheduler.onAlarm = { owner.timer.cancel() } }
    if moment != .before { owner.set(graveyard.watch(Canary(), "first"), at: 0) }
    if moment == .moved || moment == .setAnew || moment == .during {
      owner.set(graveyard.watch(Canary(), "second"), at: 1)
    }
    if moment == .during { scheduler.onAlarm = { owner.timer.cancel() } }
    if moment == .setAnew || moment == .during || moment == .fired { scheduler.blocks[0]() }
    owner.timer.cancel()
    #expect(owner.fired.count == (moment == .fired ? 1 : 0))
    owner.fired = []
    #expect(graveyard.survivors.isEmpty)
    let count = scheduler.dates.count
    #expect(scheduler.cancelled.sorted() == Array(0..<count))
    for block in scheduler.blocks { block() }
    owner.set(Canary(), at: 9)
    #expect(owner.fired.isEmpty)
    #expect(scheduler.dates.count == count)
    owner.end()
  }

  @Test func `A content that sets the timer when it is freed finds it unlocked`() {
    final class Restarting {
      weak var owner: Owner<Restarting?>?
      deinit { owner?.set(nil, at: 2) }
    }
    let owner = Owner<Restarting?>()
    do {
      let content = Restarting()
      content.owner = owner
      owner.set(content, at: 0)
    }
    owner.set(nil, at: 1)
    owner.scheduler.blocks[0]()
    #expect(owner.scheduler.dates == [3, 5])
    owner.timer.cancel()
    owner.end()
  }
}
