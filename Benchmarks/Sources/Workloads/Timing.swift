// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let timing = [
  Workload("receive(on: Immediate)", "timing") { receiveOnImmediate($0) },
  Workload("subscribe(on: Immediate)", "timing") { subscribeOnImmediate($0) },
  Workload("receive(on:), String", "timing") { receiveStrings($0) },
  Workload("delay", "timing") { delay($0) },
  Workload("debounce", "timing", size: 10_000) { debounce($0) },
  Workload("throttle", "timing") { throttle($0) },
  Workload("timeout", "timing", size: 10_000) { timeout($0) },
  Workload("measureInterval", "timing") { measureInterval($0) },
]

/// A scheduler whose clock advances at each read, and that runs its work on command.
private final class ManualScheduler: Scheduler {
  struct SchedulerTimeType: Strideable {
    var step: Int
    func distance(to other: Self) -> Stride { Stride(other.step - step) }
    func advanced(by n: Stride) -> Self { Self(step: step + n.steps) }
  }

  struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    var steps: Int
    init(_ steps: Int) { self.steps = steps }
    init(integerLiteral value: Int) { steps = value }
    init?<T: BinaryInteger>(exactly source: T) { steps = Int(source) }
    var magnitude: Int { abs(steps) }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.steps < rhs.steps }
    static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.steps + rhs.steps) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.steps - rhs.steps) }
    static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.steps * rhs.steps) }
    static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    static func seconds(_ s: Int) -> Self { Self(s) }
    static func seconds(_ s: Double) -> Self { Self(Int(s)) }
    static func milliseconds(_ ms: Int) -> Self { Self(ms) }
    static func microseconds(_ us: Int) -> Self { Self(us) }
    static func nanoseconds(_ ns: Int) -> Self { Self(ns) }
  }

  typealias SchedulerOptions = Never

  /// A timer; the scheduler keeps only the last one set.
  private final class Timer: Cancellable {
    var action: (() -> Void)?
    init(_ action: @escaping () -> Void) { self.action = action }
    func cancel() { action = nil }
  }

  /// A block in a structure: as elements of an array, closures would be wrapped in a thunk each, which costs more than
  /// the measured work.
  private struct Block {
    let run: () -> Void
  }

  // Only what a scheduler needs, so that the libraries are measured and not the scheduler.
  @exclusivity(unchecked) private var step = 0
  @exclusivity(unchecked) private var blocks: [Block] = []
  @exclusivity(unchecked) private var timer: Timer?

  var now: SchedulerTimeType {
    step += 1
    return SchedulerTimeType(step: step)
  }

  var minimumTolerance: Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) { blocks.append(Block(run: action)) }

  func schedule(after date: SchedulerTimeType, tolerance: Stride, options: Never?, _ action: @escaping () -> Void) {
    blocks.append(Block(run: action))
  }

  func schedule(
    after date: SchedulerTimeType, interval: Stride, tolerance: Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = Timer(action)
    self.timer = timer
    return timer
  }

  /// Runs all scheduled work, including the timer, and a timer that replaces it.
  func run() {
    var last: Timer?
    while let timer, timer !== last {
      last = timer
      timer.action?()
    }
    runBlocks()
  }

  func runBlocks() {
    var due: [Block] = []
    swap(&due, &blocks)
    for block in due { block.run() }
    due.removeAll(keepingCapacity: true)
    if blocks.isEmpty { blocks = due }
  }
}

/// Sends numbers through a subject, and lets the scheduler run after each group of them.
private func send(_ count: Int, _ scheduler: ManualScheduler, to subject: PassthroughSubject<Int, Never>, group: Int) {
  for value in 0..<count {
    subject.send(value)
    if value % group == group - 1 { scheduler.run() }
  }
  scheduler.run()
  subject.send(completion: .finished)
  scheduler.run()
}

@inline(never)
private func receiveOnImmediate(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).receive(on: ImmediateScheduler.shared).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func subscribeOnImmediate(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).subscribe(on: ImmediateScheduler.shared).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func receiveStrings(_ count: Int) -> Int {
  let (tally, scheduler) = (Tally(), ManualScheduler())
  let subject = PassthroughSubject<String, Never>()
  let cancellable = subject.receive(on: scheduler).sink { tally.add($0.utf8.count) }
  for (place, word) in Cycle(words, count: count).enumerated() {
    subject.send(word)
    if place % 64 == 63 { scheduler.run() }
  }
  scheduler.run()
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func delay(_ count: Int) -> Int {
  let (tally, scheduler) = (Tally(), ManualScheduler())
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.delay(for: 3, scheduler: scheduler).sink { tally.add($0) }
  send(count, scheduler, to: subject, group: 64)
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func debounce(_ count: Int) -> Int {
  let (tally, scheduler) = (Tally(), ManualScheduler())
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.debounce(for: 3, scheduler: scheduler).sink { tally.add($0) }
  send(count, scheduler, to: subject, group: 4)
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func throttle(_ count: Int) -> Int {
  let (tally, scheduler) = (Tally(), ManualScheduler())
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.throttle(for: 3, scheduler: scheduler, latest: true).sink { tally.add($0) }
  send(count, scheduler, to: subject, group: 8)
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func timeout(_ count: Int) -> Int {
  let (tally, scheduler) = (Tally(), ManualScheduler())
  let subject = PassthroughSubject<Int, Never>()
  // The timer never fires: only work that is scheduled once runs.
  let cancellable = subject.timeout(3, scheduler: scheduler).sink { tally.add($0) }
  for value in 0..<count {
    subject.send(value)
    if value % 64 == 63 { scheduler.runBlocks() }
  }
  scheduler.runBlocks()
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func measureInterval(_ count: Int) -> Int {
  let (tally, scheduler) = (Tally(), ManualScheduler())
  let cancellable = Elements(0..<count).measureInterval(using: scheduler).sink { tally.add($0.steps) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
