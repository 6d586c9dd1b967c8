// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-03 – the request that wakes the timer after a rest counts as used for the first tick, though all of the
// request is added to the demand: after each rest comes one tick too many.
struct IdleTimer<Context: Scheduler>: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let period: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Pulse(subscriber, period, scheduler))
  }

  private final class Pulse<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private enum Mode { case fresh, idle, waking, beating }

    private let lock = NSLock()
    private let period: Context.SchedulerTimeType.Stride
    private let scheduler: Context
    private var subscriber: S?
    private var wanted = Subscribers.Demand.none
    private var mode = Mode.fresh
    private var timer: (any Cancellable)?
    private var generation = 0  // of the timer
    private var next: Context.SchedulerTimeType?
    private var beats = 0
    private var isBusy = false

    init(_ subscriber: S, _ period: Context.SchedulerTimeType.Stride, _ scheduler: Context) {
      (self.subscriber, self.period, self.scheduler) = (subscriber, period, scheduler)
    }

    func request(_ demand: Subscribers.Demand) {
      let now = scheduler.now
      lock.lock()
      wanted += demand
      guard subscriber != nil, wanted > .none, mode == .fresh || mode == .idle, !isBusy else { return lock.unlock() }
      mode = mode == .idle ? .waking : .beating
      generation += 1
      let current = generation
      var date = next ?? now.advanced(by: period)
      while date <= now { date = date.advanced(by: period) }
      next = date
      lock.unlock()
      let timer = scheduler.schedule(after: date, interval: period) { self.beat(current) }
      let isLate = lock.withLock {
        if generation == current { self.timer = timer }
        return generation != current
      }
      if isLate { timer.cancel() }
    }

    func cancel() {
      lock.lock()
      let (old, timer) = (subscriber, stop())
      subscriber = nil
      lock.unlock()
      withExtendedLifetime(old) { timer?.cancel() }
    }

    // Under the lock; the result is to be cancelled outside it.
    private func stop() -> (any Cancellable)? {
      generation += 1
      mode = .idle
      defer { timer = nil }
      return timer
    }

    private func beat(_ current: Int) {
      lock.lock()
      guard current == generation else { return lock.unlock() }
      next = next?.advanced(by: period)
      guard let target = subscriber, wanted > .none, !isBusy else { return lock.unlock() }
      if mode == .waking { mode = .beating } else { wanted -= 1 }
      isBusy = true
      beats += 1
      let number = beats
      lock.unlock()
      let more = target.receive(number)
      lock.lock()
      isBusy = false
      wanted += more
      let timer = wanted == .none ? stop() : nil
      lock.unlock()
      timer?.cancel()
    }
  }
}
