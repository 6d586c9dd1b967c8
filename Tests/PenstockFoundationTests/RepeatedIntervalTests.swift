// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore
import PenstockDispatch
import PenstockFoundation
import TestSupport
import Testing

/// Timers of Foundation and Dispatch with an interval that none can keep, which becomes 0.0001 s, or with one that
/// never ends.
@Suite struct RepeatedIntervalTests {
  enum Kind: CaseIterable {
    case timer, runLoop, operationQueue, dispatchQueue
    case collectOnRunLoop, collectOnOperationQueue, collectOnDispatchQueue
  }

  private func start(
    _ kind: Kind, _ seconds: TimeInterval, on runLoop: RunLoop, _ tick: @escaping () -> Void
  ) -> any Cancellable {
    func repeating<S: Scheduler>(_ scheduler: S) -> any Cancellable {
      let interval = S.SchedulerTimeType.Stride.seconds(seconds)
      return scheduler.schedule(after: scheduler.now, interval: interval, tick)
    }
    func collecting<S: Scheduler>(_ scheduler: S) -> any Cancellable {
      // One value after each array.
      let source = CurrentValueSubject<Int, Never>(0)
      return source.collect(.byTime(scheduler, .seconds(seconds))).sink { _ in
        tick()
        source.value += 1
      }
    }
    switch kind {
    case .timer: return Timer.publish(every: seconds, on: runLoop, in: .default).autoconnect().sink { _ in tick() }
    case .runLoop: return repeating(runLoop)
    case .operationQueue: return repeating(OperationQueue())
    case .dispatchQueue: return repeating(DispatchQueue(label: "ticks"))
    case .collectOnRunLoop: return collecting(runLoop)
    case .collectOnOperationQueue:
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      return collecting(queue)
    case .collectOnDispatchQueue: return collecting(DispatchQueue(label: "ticks"))
    }
  }

  @Test(arguments: Kind.allCases, [0, -0.5, -TimeInterval.greatestFiniteMagnitude, .nan])
  func `An interval of zero, of less, or of no number repeats`(_ kind: Kind, _ seconds: TimeInterval) {
    let (loop, tick) = (LoopThread(), Gate())
    let cancellable = start(kind, seconds, on: loop.runLoop) { tick.open() }
    for _ in 0..<5 { tick.wait(seconds: 20) }
    cancellable.cancel()
    loop.stop()
  }

  @Test(arguments: Kind.allCases, [TimeInterval.infinity, .greatestFiniteMagnitude, 1e18, 1e10])
  func `An interval that never ends does not trap`(_ kind: Kind, _ seconds: TimeInterval) {
    let loop = LoopThread()
    let ticks = Locked(0)
    let cancellable = start(kind, seconds, on: loop.runLoop) { ticks.change { $0 += 1 } }
    let done = Gate()
    loop.runLoop.schedule { done.open() }
    done.wait()
    cancellable.cancel()
    loop.stop()
    // The first run of a repeated action is due at once, and the next one never.
    #expect(ticks.value <= 1)
  }

  @Test(arguments: [TimeInterval.infinity, .greatestFiniteMagnitude, 1e18, 1e10])
  func `A date that never comes does not trap`(_ seconds: TimeInterval) {
    func wait<S: Scheduler>(on scheduler: S) -> AnyCancellable {
      Just(1).delay(for: .seconds(seconds), scheduler: scheduler).sink { _ in Issue.record("It has come") }
    }
    let loop = LoopThread()
    let waits = [wait(on: loop.runLoop), wait(on: OperationQueue()), wait(on: DispatchQueue(label: "never"))]
    let done = Gate()
    loop.runLoop.schedule { done.open() }
    done.wait()
    for wait in waits { wait.cancel() }
    loop.stop()
  }
}
