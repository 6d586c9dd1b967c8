// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: ticks while there is demand, and takes its timer away while there is none. Its ticks stay on the grid that
// the first request has begun, even after a rest; a tick that comes during a delivery is dropped.
struct RestingTicker<Context: Scheduler>: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let interval: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Bell(subscriber, interval, scheduler))
  }

  private final class Bell<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private let interval: Context.SchedulerTimeType.Stride
    private let scheduler: Context
    private var downstream: S?
    private var demand = Subscribers.Demand.none
    private var timer: (any Cancellable)?
    private var round = 0  // of the timer; odd while there is one
    private var due: Context.SchedulerTimeType?
    private var count = 0
    private var isDelivering = false

    init(_ downstream: S, _ interval: Context.SchedulerTimeType.Stride, _ scheduler: Context) {
      (self.downstream, self.interval, self.scheduler) = (downstream, interval, scheduler)
    }

    func request(_ more: Subscribers.Demand) {
      let now = scheduler.now
      lock.lock()
      demand += more
      guard downstream != nil, demand > .none, round.isMultiple(of: 2), !isDelivering else { return lock.unlock() }
      let (date, round) = begin(now)
      lock.unlock()
      arm(date, round)
    }

    func cancel() {
      let old = lock.withLock {
        defer { downstream = nil }
        return (downstream, rest())
      }
      old.1?.cancel()
    }

    // Under the lock.
    private func begin(_ now: Context.SchedulerTimeType) -> (Context.SchedulerTimeType, Int) {
      round += 1
      var date = due ?? now.advanced(by: interval)
      while date <= now { date = date.advanced(by: interval) }
      due = date
      return (date, round)
    }

    // Under the lock; the result is to be cancelled outside it.
    private func rest() -> (any Cancellable)? {
      if !round.isMultiple(of: 2) { round += 1 }
      defer { timer = nil }
      return timer
    }

    private func arm(_ date: Context.SchedulerTimeType, _ round: Int) {
      let timer = scheduler.schedule(after: date, interval: interval) { self.tick(round) }
      let isWanted = lock.withLock {
        guard self.round == round else { return false }
        self.timer = timer
        return true
      }
      if !isWanted { timer.cancel() }
    }

    private func tick(_ round: Int) {
      lock.lock()
      guard round == self.round else { return lock.unlock() }
      due = due?.advanced(by: interval)
      guard let target = downstream, demand > .none, !isDelivering else { return lock.unlock() }
      demand -= 1
      isDelivering = true
      let number = count
      count += 1
      lock.unlock()
      let more = target.receive(number)
      let old = lock.withLock { () -> (any Cancellable)? in
        isDelivering = false
        demand += more
        return demand == .none ? rest() : nil
      }
      old?.cancel()
    }
  }
}
