// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// An executor of two queues that takes turns, so that it is not serial.
private final class PairExecutor: TaskExecutor {
  private let queues = (0..<2).map { DispatchQueue(label: "executor \($0)") }
  private let turns = Locked(0)
  static let key = DispatchSpecificKey<Bool>()

  init() {
    for queue in queues { queue.setSpecific(key: Self.key, value: true) }
  }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  func enqueue(_ job: consuming ExecutorJob) {
    let (job, turn) = (
      UnownedJob(job),
      turns.change { turn in
        turn += 1
        return turn
      }
    )
    let executor = asUnownedTaskExecutor()
    queues[turn % 2].async { job.runSynchronously(on: executor) }
  }
}

/// The places where a task scheduler performs its actions.
private enum Ground: CaseIterable {
  case mainActor, actor, executor, pool

  func scheduler(_ clock: VirtualClock) -> TaskScheduler<VirtualClock> {
    switch self {
    case .mainActor: TaskScheduler(on: MainActor.shared, clock: clock)
    case .actor: TaskScheduler(on: Ledger(), clock: clock)
    case .executor: TaskScheduler(on: PairExecutor(), clock: clock)
    case .pool: TaskScheduler(clock: clock)
    }
  }
}

@Suite struct TaskSchedulerTests {
  @Test(arguments: Ground.allCases)
  private func `Actions are performed in order, one after the other`(_ ground: Ground) async {
    let scheduler = ground.scheduler(VirtualClock(VirtualTimeScheduler()))
    let (performed, overlaps) = (Locked<[Int]>([]), Recorder<Int, Never>())
    for number in 0..<2_000 {
      scheduler.schedule {
        _ = overlaps.receive(number)
        performed.change { $0.append(number) }
      }
    }
    await scheduler.settled()
    #expect(performed.value == Array(0..<2_000))
    #expect(!overlaps.hasOverlapped)
  }

  @Test(arguments: Ground.allCases)
  private func `Operators of time go by the clock, and a test with virtual time is the same every time`(
    _ ground: Ground
  ) async {
    let time = VirtualTimeScheduler()
    let scheduler = ground.scheduler(VirtualClock(time))
    let (subject, received) = (PassthroughSubject<Int, Never>(), Locked<[(Int, VirtualTime)]>([]))
    let cancellable = subject.debounce(for: .milliseconds(100), scheduler: scheduler)
      .delay(for: .seconds(1), scheduler: scheduler)
      .sink { value in received.change { $0.append((value, time.now)) } }
    for value in 1...3 {
      subject.send(value)
      await scheduler.settled()
      await time.advance(by: value == 2 ? 0.1 : 0.05)
      await scheduler.settled()
    }
    for _ in 1...30 {
      await time.advance(by: 0.05)
      await scheduler.settled()
    }
    #expect(received.value.map(\.0) == [2, 3])
    #expect(received.value.map(\.1) == [1.15, 1.25])
    cancellable.cancel()
  }

  @Test func `On the executor of virtual time, what is due has been performed when a move returns`() {
    let time = VirtualTimeScheduler()
    let scheduler = TaskScheduler(on: time.executor, clock: time.clock)
    let (subject, received) = (PassthroughSubject<Int, Never>(), Locked<[(Int, VirtualTime)]>([]))
    let cancellable = subject.debounce(for: .milliseconds(100), scheduler: scheduler)
      .delay(for: .seconds(1), scheduler: scheduler)
      .sink { value in received.change { $0.append((value, time.now)) } }
    subject.send(1)
    time.advance(by: 0.05)
    subject.send(2)
    time.advance(by: 1.05)
    #expect(received.value.isEmpty)
    time.advance(by: 0.05)
    #expect(received.value.map(\.0) == [2])
    #expect(received.value.map(\.1) == [1.15])
    cancellable.cancel()
  }

  @Test func `Work for a date that has been reached is due without a move of the clock`() async {
    let time = VirtualTimeScheduler()
    let scheduler = TaskScheduler(clock: VirtualClock(time))
    let performed = Locked<[String]>([])
    await time.advance(by: 1)
    let now = scheduler.now
    scheduler.schedule(after: now) { performed.change { $0.append("once") } }
    let repeated = scheduler.schedule(after: now, interval: .seconds(1)) { performed.change { $0.append("again") } }
    await scheduler.settled()
    #expect(performed.value == ["once", "again"])
    await time.advance(by: 1)
    await scheduler.settled()
    #expect(performed.value == ["once", "again", "again"])
    repeated.cancel()
  }

  @Test func `Actions of one date are performed as they were scheduled, and behind those of earlier dates`() async {
    let scheduler = TaskScheduler()
    let performed = Locked<[Int]>([])
    // This happens before the first of the dates, unless the machine is busy; the order is the same even then.
    let date = scheduler.now.advanced(by: .milliseconds(20))
    for number in 50..<100 { scheduler.schedule(after: date) { performed.change { $0.append(number) } } }
    for number in 0..<50 {
      let earlier = date.advanced(by: .microseconds(number - 50))
      scheduler.schedule(after: earlier) { performed.change { $0.append(number) } }
    }
    #expect(await reached { performed.value.count == 100 })
    let (early, late) = (performed.value.filter { $0 < 50 }, performed.value.filter { $0 >= 50 })
    #expect(early == Array(0..<50))
    #expect(late == Array(50..<100))
  }

  @Test func `Work is performed once, whether the clock reaches its date before, while or after it is scheduled`() async
  {
    for _ in 0..<500 {
      let time = VirtualTimeScheduler()
      let scheduler = TaskScheduler(clock: VirtualClock(time))
      let (date, performed) = (scheduler.now.advanced(by: 1), Locked(0))
      onThreads([
        { time.advance(by: 1) },
        { scheduler.schedule(after: date) { performed.change { $0 += 1 } } },
      ])
      await scheduler.settled()
      #expect(performed.value == 1)
      await time.advance(by: 5)
      await scheduler.settled()
      #expect(performed.value == 1)
    }
  }

  @Test func `A repeated action is performed at each date, until it is cancelled`() async {
    let time = VirtualTimeScheduler()
    let scheduler = TaskScheduler(clock: VirtualClock(time))
    let dates = Locked<[VirtualTime]>([])
    let timer = scheduler.schedule(after: scheduler.now.advanced(by: 1), interval: 2) {
      dates.change { $0.append(time.now) }
    }
    for _ in 1...6 {
      await time.advance(by: 1)
      await scheduler.settled()
    }
    #expect(dates.value == [1, 3, 5])
    timer.cancel()
    await time.advance(by: 10)
    await scheduler.settled()
    #expect(dates.value == [1, 3, 5])
    #expect(time.pending.isEmpty)
  }

  @Test func `Ticks that are due while one waits are left out`() async {
    let time = VirtualTimeScheduler()
    let scheduler = TaskScheduler(on: MainActor.shared, clock: VirtualClock(time))
    let count = Locked(0)
    // The closure keeps the main actor until it returns: no tick can run meanwhile.
    let timer = Locked<(any Cancellable)?>(nil)
    await MainActor.run {
      timer.change { $0 = scheduler.schedule(after: scheduler.now, interval: 1) { count.change { $0 += 1 } } }
      time.advance(by: 5)
    }
    await scheduler.settled()
    #expect(count.value == 1)
    await time.advance(by: 1)
    await scheduler.settled()
    #expect(count.value == 2)
    timer.value?.cancel()
  }

  @Test func `What captures the action is released by a cancel`() {
    let time = VirtualTimeScheduler()
    let scheduler = TaskScheduler(clock: VirtualClock(time))
    weak var weakCanary: Canary?
    let timer: any Cancellable
    do {
      let canary = Canary()
      weakCanary = canary
      timer = scheduler.schedule(after: scheduler.now.advanced(by: 1), interval: 1) { withExtendedLifetime(canary) {} }
    }
    #expect(weakCanary != nil)
    timer.cancel()
    #expect(weakCanary == nil)
  }

  @Test func `Values are received on an actor, and on an executor`() async {
    let (subject, places) = (PassthroughSubject<Int, Never>(), Locked<[Bool]>([]))
    let ledger = Ledger()
    let first = subject.receive(on: ledger).sink { _ in
      ledger.assertIsolated()
      places.change { $0.append(true) }
    }
    let second = subject.receive(on: PairExecutor()).sink { _ in places.change { $0.append(PairExecutor.isCurrent) } }
    (1...10).forEach(subject.send)
    #expect(await reached { places.value.count == 20 })
    #expect(places.value.allSatisfy { $0 })
    first.cancel()
    second.cancel()
  }

  @Test func `Real clocks wake the actions`() async {
    let (stream, end) = AsyncStream<Never>.makeStream()
    let scheduler = TaskScheduler(clock: SuspendingClock())
    let start = scheduler.now
    let elapsed = Locked<ClockStride>(0)
    scheduler.schedule(after: start.advanced(by: .milliseconds(5))) {
      elapsed.change { $0 = start.distance(to: scheduler.now) }
      end.finish()
    }
    for await _ in stream {}
    #expect(elapsed.value >= .milliseconds(5))
  }

  @Test func `Time intervals are numbers of seconds`() {
    #expect(ClockStride.milliseconds(1_500) == 1.5)
    #expect(ClockStride.microseconds(2) == .nanoseconds(2_000))
    #expect(ClockStride.seconds(3) * 2 == 6)
    #expect((0 - ClockStride.seconds(3)).magnitude == 3)
    #expect(ClockStride(exactly: 4) == 4)
    #expect("\(ClockStride.seconds(0.5))" == "0.5 seconds")
  }
}
