// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockOperatorsFoundation
import PenstockTesting
import TestSupport
import Testing

@Suite struct DispatchTimerTests {
  typealias QueueTime = DispatchQueue.SchedulerTimeType
  typealias VirtualQueue = VirtualTimeScheduler<QueueTime, DispatchQueue.SchedulerOptions>

  /// A queue whose time stands still, starting at a number of nanoseconds.
  private static func virtual(at nanoseconds: UInt64 = 1_000) -> VirtualQueue {
    VirtualTimeScheduler(now: QueueTime(DispatchTime(uptimeNanoseconds: nanoseconds)), minimumTolerance: 0)
  }

  @Test func `The first tick comes an interval after the first request, and the last with the end`() {
    let scheduler = Self.virtual()
    let recorder = Recorder<DispatchTime, Never>(demand: nil)
    Publishers.timer(scheduler: scheduler, interval: .seconds(1), times: .max(3)).subscribe(recorder)
    scheduler.advance(by: 10)
    #expect(scheduler.pending.isEmpty)
    recorder.request(.unlimited)
    scheduler.advance(by: 0.999_999_999)
    #expect(recorder.values.isEmpty)
    scheduler.advance(by: 0.000_000_001)
    #expect(recorder.values.map(\.uptimeNanoseconds) == [11_000_001_000])
    scheduler.advance(by: 1.5)
    #expect(recorder.completions.isEmpty)
    scheduler.advance(by: 10)
    #expect(recorder.values.map(\.uptimeNanoseconds) == [11, 12, 13].map { $0 * 1_000_000_000 + 1_000 })
    #expect(recorder.isFinished)
    #expect(recorder.subscriptionTexts == ["DispatchTimer"])
  }

  @Test func `Ten thousand ticks do not drift`() {
    let scheduler = Self.virtual(at: 5)
    let recorder = Recorder<DispatchTime, Never>()
    Publishers.timer(scheduler: scheduler, interval: .nanoseconds(333_333), times: .max(10_000)).subscribe(recorder)
    scheduler.advance(by: 10)
    #expect(recorder.values.map(\.uptimeNanoseconds) == (1...10_000).map { 5 + UInt64($0) * 333_333 })
    #expect(recorder.isFinished)
  }

  @Test func `Ticks without demand are dropped, and the clock runs on`() {
    let scheduler = Self.virtual()
    let recorder = Recorder<DispatchTime, Never>(demand: .max(1))
    Publishers.timer(scheduler: scheduler, interval: .seconds(1), times: .max(3)).subscribe(recorder)
    scheduler.advance(by: 4.5)
    #expect(recorder.values.count == 1)
    recorder.request(.max(2))
    scheduler.advance(by: 10)
    // Dropped ticks do not count as values either.
    #expect(recorder.values.map { $0.uptimeNanoseconds / 1_000_000_000 } == [1, 5, 6])
    #expect(recorder.isFinished)
  }

  @Test func `An end that another thread asks for comes when the subscriber has been introduced`() {
    let recorder = Recorder<DispatchTime, Never>(demand: nil)
    var early = 0
    recorder.onSubscription = { subscription in
      let box = UncheckedBox(subscription)
      elsewhere { box.value.request(.max(1)) }
      early = recorder.completions.count
    }
    Publishers.timer(scheduler: Self.virtual(), interval: .seconds(1), times: .none).subscribe(recorder)
    #expect(early == 0)
    #expect(recorder.isFinished)
  }

  /// Intervals with what they come to: as for a `Timer`, 0.0001 s where none can be kept, and no tick where none ends.
  private static let intervals: [(interval: DispatchTimeInterval, ticks: Int)] =
    [.nanoseconds(0), .nanoseconds(-1), .seconds(-1), .nanoseconds(.min), .seconds(.min)].map { ($0, 10) } + [
      (.nanoseconds(500_000), 2), (.nanoseconds(.max), 0), (.milliseconds(.max), 0), (.seconds(.max), 0), (.never, 0),
    ]

  @Test(arguments: intervals)
  func `Any interval works, and any leeway`(_ interval: DispatchTimeInterval, _ ticks: Int) {
    for leeway in Self.intervals.map(\.interval) {
      for times in [Subscribers.Demand.max(1), .max(.max), .unlimited] {
        let (scheduler, recorder) = (Self.virtual(), Recorder<DispatchTime, Never>())
        Publishers.timer(scheduler: scheduler, interval: interval, leeway: leeway, times: times).subscribe(recorder)
        scheduler.advance(by: 0.001)
        #expect(recorder.values.count == (times == .max(1) ? min(ticks, 1) : ticks), "\(leeway), \(times)")
        #expect(recorder.isFinished == (times == .max(1) && ticks > 0))
        #expect(recorder.complaints.isEmpty)
        recorder.dismiss()
      }
    }
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<DispatchTime, Never>(demand: nil)
      Publishers.timer(interval: .seconds(1)).subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `No values: it finishes at the first request`() {
    let scheduler = Self.virtual()
    let recorder = Recorder<DispatchTime, Never>(demand: nil)
    Publishers.timer(scheduler: scheduler, interval: .seconds(1), times: .none).subscribe(recorder)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("DispatchTimer"), .completion(.finished)])
    #expect(scheduler.pending.isEmpty)
  }

  // MARK: The published mistakes

  @Test func `A demand that is returned counts`() {
    let scheduler = Self.virtual()
    let recorder = Recorder<DispatchTime, Never>(demand: .max(1), answering: .max(1))
    Publishers.timer(scheduler: scheduler, interval: .seconds(1)).subscribe(recorder)
    scheduler.advance(by: 5)
    #expect(recorder.values.count == 5)
    recorder.cancel()
  }

  @Test func `Nothing runs on after the end, which comes once`() {
    let scheduler = Self.virtual()
    let recorder = Recorder<DispatchTime, Never>()
    Publishers.timer(scheduler: scheduler, interval: .seconds(1), times: .max(2)).subscribe(recorder)
    scheduler.advance(by: 2)
    #expect(scheduler.pending.isEmpty)
    recorder.request(.unlimited)
    recorder.request(.max(1))
    scheduler.advance(by: 10)
    #expect(recorder.values.count == 2)
    #expect(recorder.completions == [.finished])
    let none = Recorder<DispatchTime, Never>(demand: .max(1))
    Publishers.timer(scheduler: scheduler, interval: .seconds(1), times: .none).subscribe(none)
    none.request(.max(1))
    #expect(none.completions == [.finished])
  }

  @Test func `Requests, ticks and a cancel on three threads`() {
    for round in 0..<50 {
      let scheduler = Self.virtual()
      let probe = Recorder<DispatchTime, Never>(demand: nil)
      let (cancelled, late) = (Locked(false), Locked(0))
      probe.onValue = { _ in
        if cancelled.value { late.change { $0 += 1 } }
        return .none
      }
      Publishers.timer(scheduler: scheduler, interval: .seconds(1), times: .max(150)).subscribe(probe)
      onThreads([
        { for _ in 0..<200 { probe.request(.max(1)) } },
        { for _ in 0..<300 { scheduler.advance(by: 1) } },
        {
          guard round % 2 == 0 else { return }
          probe.cancel()
          cancelled.change { $0 = true }
        },
      ])
      #expect(probe.isSerial)
      #expect(probe.values.count <= 150)
      #expect(probe.completions.count <= 1)
      #expect(late.value <= 1)
      if round % 2 == 1 {
        scheduler.advance(by: 1_000)
        probe.request(.unlimited)
        scheduler.advance(by: 1_000)
        #expect(probe.values.count == 150)
        #expect(probe.completions.count == 1)
      }
      #expect(scheduler.pending.isEmpty)
    }
  }

  // MARK: Cancels and memory

  @Test(arguments: ["before", "during", "inside", "last", "finish"])
  func `A cancel stops the clock and lets the subscriber go, and so does the end`(_ moment: String) {
    var graveyard = Graveyard()
    let scheduler = Self.virtual()
    do {
      let recorder = graveyard.watch(Recorder<DispatchTime, Never>(demand: nil))
      recorder.onValue = { [unowned recorder] _ in
        if moment == "inside" || (moment == "last" && recorder.values.count == 3) { recorder.cancel() }
        return .none
      }
      Publishers.timer(scheduler: scheduler, interval: .seconds(1), times: .max(3)).subscribe(recorder)
      if moment == "before" { recorder.cancel() }
      recorder.request(.unlimited)
      scheduler.advance(by: 1)
      if moment == "during" { recorder.cancel() }
      scheduler.advance(by: 10)
      #expect(recorder.values.count == (["before": 0, "during": 1, "inside": 1][moment] ?? 3))
      #expect(recorder.completions.count == (moment == "finish" ? 1 : 0))
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `No lock is held while the subscriber runs`() {
    let scheduler = Self.virtual()
    let recorder = Recorder<DispatchTime, Never>(demand: .max(1))
    recorder.onValue = { _ in
      elsewhere {
        recorder.request(.max(1))
        _ = String(reflecting: recorder.subscriptions)
        if recorder.values.count == 2 { recorder.cancel() }
      }
      return .none
    }
    Publishers.timer(scheduler: scheduler, interval: .seconds(1)).subscribe(recorder)
    scheduler.advance(by: 10)
    #expect(recorder.values.count == 2)
  }

  @Test func `Texts`() {
    let recorder = Recorder<DispatchTime, Never>(demand: nil)
    Publishers.timer(interval: .seconds(1)).subscribe(recorder)
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("DispatchTimer", children: ["downstream", "demand"]))
  }

  // MARK: On a queue

  @Test func `On a queue it delivers there, one interval apart at least, and finishes`() {
    let queue = DispatchQueue(label: "ticks")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let done = Gate()
    let values = Locked<[DispatchTime]>([])
    let strangers = Locked(0)
    let start = DispatchTime.now()
    let configuration = DispatchTimerConfiguration(queue: queue, interval: .milliseconds(2), times: .max(5))
    let cancellable = Publishers.DispatchTimer(configuration: configuration).sink(
      receiveCompletion: { _ in done.open() },
      receiveValue: { value in
        if DispatchQueue.getSpecific(key: key) != true { strangers.change { $0 += 1 } }
        values.change { $0.append(value) }
      })
    done.wait()
    #expect(strangers.value == 0)
    let times = values.value.map(\.uptimeNanoseconds)
    #expect(times.count == 5)
    // Never before its date; how long after it depends on the machine.
    for (index, time) in times.enumerated() {
      #expect(time >= start.uptimeNanoseconds + UInt64(index + 1) * 2_000_000)
    }
    cancellable.cancel()
  }

  @Test func `The configuration is what it was made with`() {
    let timer = Publishers.timer(interval: .seconds(1))
    #expect(timer.configuration.queue == nil)
    #expect(timer.configuration.times == .unlimited)
    #expect(timer.configuration.leeway == .nanoseconds(0))
    let queue = DispatchQueue(label: "configured")
    let other = Publishers.timer(queue: queue, interval: .never, leeway: .seconds(2), times: .max(3))
    #expect(other.configuration.queue === queue)
    #expect(other.configuration.interval == .never)
    #expect(other.configuration.leeway == .seconds(2))
    #expect(other.configuration.times == .max(3))
  }
}
