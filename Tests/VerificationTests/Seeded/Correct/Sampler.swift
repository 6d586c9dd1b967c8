// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: an endless source on a scheduler: tick k (from 1) at start + k · interval, the start being the subscription.
// Unusual: the timer only exists while there is demand; when it is asked again, it joins the same grid, and skips the
// numbers of the ticks in between (at demand 0 ticks are dropped, as documented here).
struct Sampler<Time: Scheduler>: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let interval: Time.SchedulerTimeType.Stride
  let scheduler: Time

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let run = Run(subscriber, interval, scheduler)
    subscriber.receive(subscription: run)
    run.open()
  }

  private final class Run<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private let (interval, scheduler): (Time.SchedulerTimeType.Stride, Time)
    private var subscriber: S?
    private var demand = Subscribers.Demand.none
    private var (due, number): (Time.SchedulerTimeType, Int)
    private var timer: (any Cancellable)?
    private var (round, isAwake, isTicking, isOpen) = (0, false, false, false)

    init(_ subscriber: S, _ interval: Time.SchedulerTimeType.Stride, _ scheduler: Time) {
      precondition(interval > 0)
      (self.subscriber, self.interval, self.scheduler) = (subscriber, interval, scheduler)
      (due, number) = (scheduler.now.advanced(by: interval), 1)
    }

    func open() {
      lock.withLock { isOpen = true }
      wake()
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { demand += more }
      wake()
    }

    func cancel() {
      let gone = lock.withLock { () -> (S?, timer: (any Cancellable)?) in
        defer { (subscriber, timer, round, isAwake) = (nil, nil, round + 1, false) }
        return (subscriber, timer)
      }
      gone.timer?.cancel()
    }

    private func wake() {
      let now = scheduler.now
      let plan = lock.withLock { () -> (round: Int, due: Time.SchedulerTimeType)? in
        guard subscriber != nil, isOpen, !isAwake, demand > .none else { return nil }
        while due < now { (due, number) = (due.advanced(by: interval), number + 1) }
        (isAwake, round) = (true, round + 1)
        return (round, due)
      }
      guard let plan else { return }
      let started = scheduler.schedule(after: plan.due, interval: interval) { self.tick(plan.round) }
      let isWanted = lock.withLock {
        if round == plan.round { timer = started }
        return round == plan.round
      }
      if !isWanted { started.cancel() }
    }

    private func tick(_ round: Int) {
      let step = lock.withLock { () -> (target: S, number: Int)? in
        guard round == self.round else { return nil }
        defer { (due, number) = (due.advanced(by: interval), number + 1) }
        guard !isTicking, demand > .none, let subscriber else { return nil }
        (demand, isTicking) = (demand - 1, true)
        return (subscriber, number)
      }
      guard let step else { return }
      let extra = step.target.receive(step.number)
      let idle = lock.withLock { () -> (any Cancellable)? in
        (demand, isTicking) = (demand + extra, false)
        guard demand == .none, round == self.round else { return nil }
        defer { (timer, self.round, isAwake) = (nil, round + 1, false) }
        return timer
      }
      idle?.cancel()
    }
  }
}
