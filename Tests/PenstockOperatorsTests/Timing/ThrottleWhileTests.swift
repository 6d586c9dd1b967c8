// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockDispatch
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct ThrottleWhileTests {
  @Test func `A subject's value is the initial state`() {
    let (values, busy) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Bool, Never>(true))
    let recorder = Recorder<Int, Never>()
    let throttled = values.throttle(while: busy, on: ImmediateScheduler.shared)
    #expect(throttled.initialThrottle)
    throttled.subscribe(recorder)
    values.send(1)
    values.send(2)
    #expect(recorder.values.isEmpty)
    busy.value = false
    #expect(recorder.values == [2])
    // The subject's value at the subscription applies before upstream's first value.
    let late = Recorder<Int, Never>()
    (1...3).publisher.throttle(while: busy, initialThrottle: true, on: ImmediateScheduler.shared).subscribe(late)
    #expect(late.values == [1, 2, 3])
  }

  @Test func `Both are asked for everything, and the text is its own`() {
    let (upstream, condition) = (ManualPublisher<Int, TestError>(), ManualPublisher<Bool, Never>())
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    upstream.throttle(while: condition, initialThrottle: false, on: ImmediateScheduler.shared).subscribe(recorder)
    #expect(upstream.calls == [.requested(.unlimited)])
    #expect(condition.calls == [.requested(.unlimited)])
    #expect(recorder.subscriptionTexts == ["ThrottleWhile"])
    #expect(upstream.send(1) == .none)
    #expect(condition.send(true) == .none)
  }

  @Test func `A demand that is returned counts`() {
    let (upstream, condition) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { value in value == 1 ? .max(1) : .none }
    upstream.throttle(while: condition, initialThrottle: false, on: ImmediateScheduler.shared).subscribe(recorder)
    for value in 1...4 { upstream.send(value) }
    #expect(recorder.values == [1, 2])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 4])
  }

  // MARK: The published mistakes that no table shows

  @Test func `A cancel cancels both`() {
    let (upstream, condition) = (ManualPublisher<Int, TestError>(), ManualPublisher<Bool, Never>())
    let recorder = Recorder<Int, TestError>()
    upstream.throttle(while: condition, initialThrottle: true, on: ImmediateScheduler.shared).subscribe(recorder)
    upstream.send(1)
    recorder.cancel()
    #expect(upstream.calls == [.requested(.unlimited), .cancelled])
    #expect(condition.calls == [.requested(.unlimited), .cancelled])
    condition.send(false)
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(recorder.events == [.subscription("ThrottleWhile")])
  }

  @Test(arguments: [true, false])
  func `Upstream's end cancels the condition, and not upstream`(_ fails: Bool) {
    let (upstream, condition) = (ManualPublisher<Int, TestError>(), ManualPublisher<Bool, Never>())
    let recorder = Recorder<Int, TestError>()
    upstream.throttle(while: condition, initialThrottle: true, on: ImmediateScheduler.shared).subscribe(recorder)
    upstream.send(1)
    upstream.send(completion: fails ? .failure(.oops) : .finished)
    #expect(upstream.calls == [.requested(.unlimited)])
    #expect(condition.calls == [.requested(.unlimited), .cancelled])
    #expect(recorder.completions == [fails ? .failure(.oops) : .finished])
  }

  @Test func `A scheduler that turns the order around turns nothing around`() {
    let (upstream, condition) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
    let scheduler = TurningScheduler()
    let recorder = Recorder<Int, Never>()
    upstream.throttle(while: condition, initialThrottle: false, on: scheduler).subscribe(recorder)
    for value in 1...3 { upstream.send(value) }
    condition.send(true)
    upstream.send(4)
    condition.send(false)
    upstream.send(completion: .finished)
    #expect(recorder.values.isEmpty)
    scheduler.run()
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.isFinished)
  }

  @Test func `A concurrent queue delivers one at a time, in order, the end last`() {
    for _ in 0..<20 {
      let (upstream, condition) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let values = Locked<[Int]>([])
      let done = Gate()
      let cancellable = upstream.throttle(while: condition, initialThrottle: false, on: queue).sink(
        receiveCompletion: { _ in done.open() },
        receiveValue: { value in values.change { $0.append(value) } })
      for value in 0..<200 { upstream.send(value) }
      upstream.send(completion: .finished)
      done.wait()
      #expect(values.value == Array(0..<200))
      cancellable.cancel()
    }
  }

  @Test func `Only the scheduler delivers, even while the thread that sent a value is held up`() {
    let (upstream, condition) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
    let scheduler = ElsewhereScheduler()
    let recorder = Recorder<Int, Never>(demand: .max(2))
    let strangers = Locked(0)
    recorder.onValue = { value in
      if !scheduler.isHere { strangers.change { $0 += 1 } }
      return value == 2 ? .max(1) : .none
    }
    recorder.onCompletion = { _ in if !scheduler.isHere { strangers.change { $0 += 1 } } }
    upstream.throttle(while: condition, initialThrottle: false, on: scheduler).subscribe(recorder)
    for value in 1...3 { upstream.send(value) }
    condition.send(true)
    upstream.send(4)
    condition.send(false)
    recorder.request(.max(1))
    upstream.send(completion: .finished)
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.isFinished)
    #expect(strangers.value == 0)
  }

  // MARK: Misuse, memory, threads

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, Never>(demand: nil)
      PassthroughSubject<Int, Never>().throttle(
        while: PassthroughSubject<Bool, Never>(), initialThrottle: false, on: ImmediateScheduler.shared
      ).subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: ["finish", "finish unasked", "cancel", "condition ends"])
  func `Nothing is left`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let upstream = graveyard.watch(PassthroughSubject<Canary, Never>(), "upstream")
      let condition = graveyard.watch(PassthroughSubject<Bool, Never>(), "condition")
      let recorder = graveyard.watch(Recorder<Int, Never>(demand: end == "finish unasked" ? nil : .unlimited))
      let canary = graveyard.watch(Canary(), "closure")
      upstream.throttle(while: condition, initialThrottle: false, on: ImmediateScheduler.shared)
        .map { _ in
          withExtendedLifetime(canary) {}
          return 1
        }
        .subscribe(recorder)
      upstream.send(graveyard.watch(Canary(), "value"))
      condition.send(true)
      upstream.send(graveyard.watch(Canary(), "throttled"))
      if end == "condition ends" { condition.send(completion: .finished) }
      if end.hasPrefix("finish") { upstream.send(completion: .finished) } else { recorder.cancel() }
      if end == "finish unasked" { recorder.cancel() }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A value that is dropped is freed when a newer one takes its place`() {
    var graveyard = Graveyard()
    let upstream = PassthroughSubject<Canary, Never>()
    let condition = PassthroughSubject<Bool, Never>()
    let cancellable = upstream.throttle(
      while: condition, initialThrottle: true, on: ImmediateScheduler.shared
    ).sink { _ in }
    for number in 1...3 { upstream.send(graveyard.watch(Canary(), "\(number)")) }
    #expect(graveyard.survivors == ["3"])
    condition.send(false)
    #expect(graveyard.survivors.isEmpty)
    cancellable.cancel()
  }

  @Test(arguments: ["value", "completion", "subscription"])
  func `No lock is held while a subscriber runs`(_ callback: String) {
    let (upstream, condition) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
    let recorder = Recorder<Int, Never>(demand: .max(5))
    let calls: @Sendable () -> Void = {
      elsewhere {
        upstream.send(7)
        condition.send(true)
        recorder.request(.max(1))
        recorder.cancel()
      }
    }
    switch callback {
    case "value":
      recorder.onValue = { _ in
        calls()
        return .none
      }
    case "completion": recorder.onCompletion = { _ in calls() }
    default: recorder.onSubscription = { _ in calls() }
    }
    upstream.throttle(while: condition, initialThrottle: false, on: ImmediateScheduler.shared).subscribe(recorder)
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(recorder.values == (callback == "subscription" ? [] : [1]))
    #expect(recorder.completions.count == (callback == "completion" ? 1 : 0))
  }

  @Test func `Values, condition, requests and a cancel on four threads`() {
    for round in 0..<40 {
      let (upstream, condition) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
      let probe = Recorder<Int, Never>(demand: nil)
      let (cancelled, late) = (Locked(false), Locked(0))
      probe.onValue = { _ in
        if cancelled.value { late.change { $0 += 1 } }
        return .none
      }
      upstream.throttle(while: condition, initialThrottle: false, on: ImmediateScheduler.shared)
        .subscribe(probe)
      onThreads([
        {
          for value in 0..<500 { upstream.send(value) }
          upstream.send(completion: .finished)
        },
        { for turn in 0..<500 { condition.send(turn % 2 == 0) } },
        { for _ in 0..<300 { probe.request(.max(1)) } },
        {
          guard round % 2 == 0 else { return }
          probe.cancel()
          cancelled.change { $0 = true }
        },
      ])
      #expect(probe.values.count <= 300)
      #expect(zip(probe.values, probe.values.dropFirst()).allSatisfy { $0 < $1 })
      #expect(probe.isSerial)
      #expect(probe.completions.count <= 1)
      // One delivery may have been in progress.
      #expect(late.value <= 1)
    }
  }
}

/// Runs its work in reverse order.
private final class TurningScheduler: Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  private var blocks: [() -> Void] = []

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func run() {
    while let block = blocks.popLast() { block() }
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { blocks.append(action) }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { blocks.append(action) }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable { AnyCancellable {} }
}

/// Runs all work on another thread before `schedule` returns.
private final class ElsewhereScheduler: Scheduler, Sendable {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  private let thread = Locked<ObjectIdentifier?>(nil)

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Whether the calling thread is running scheduled work.
  var isHere: Bool { thread.value == ObjectIdentifier(Thread.current) }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    let action = UncheckedBox(action)
    elsewhere {
      self.thread.change { $0 = ObjectIdentifier(Thread.current) }
      action.value()
    }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { schedule(options: nil, action) }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable { AnyCancellable {} }
}
