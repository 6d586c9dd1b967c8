// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

enum TutorialTimerMistake: Sendable { case throwsAwayReturnedDemand, runsOnAfterEnd, finishesAgain, sumsDemand }

/// A timer for several subscribers, each with a repetition of its own; as in a tutorial, with or without its mistake.
final class TutorialTimer: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  let scheduler: VerificationScheduler
  let mistake: TutorialTimerMistake?
  fileprivate let lock = NSLock()
  fileprivate var demandOfAll = Subscribers.Demand.none

  init(count: Int, scheduler: VerificationScheduler, mistake: TutorialTimerMistake?) {
    (self.count, self.scheduler, self.mistake) = (count, scheduler, mistake)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let subscription = Ticks(self, AnySubscriber(subscriber))
    subscriber.receive(subscription: subscription)
    subscription.begin()
  }

  private final class Ticks: Subscription {
    private let timer: TutorialTimer
    private var downstream: AnySubscriber<Int, Never>?
    private let kept: AnySubscriber<Int, Never>
    private var demand = Subscribers.Demand.none
    private var delivered = 0
    private var repetition: (any Cancellable)?
    private var hasFinished = false

    init(_ timer: TutorialTimer, _ downstream: AnySubscriber<Int, Never>) {
      (self.timer, self.downstream) = (timer, downstream)
      kept = timer.mistake == .finishesAgain ? downstream : AnySubscriber()
    }

    func begin() {
      guard timer.lock.withLock({ downstream != nil }) else { return }
      let scheduler = timer.scheduler
      let repetition = scheduler.schedule(after: scheduler.now.advanced(by: 1), interval: 1) { self.tick() }
      timer.lock.withLock { self.repetition = repetition }
    }

    private func add(_ more: Subscribers.Demand) {
      timer.lock.withLock {
        if timer.mistake == .sumsDemand { timer.demandOfAll += more } else { demand += more }
      }
    }

    private func tick() {
      let (target, isEnd): (AnySubscriber<Int, Never>?, Bool) = timer.lock.withLock {
        guard let downstream else { return (nil, false) }
        if delivered == timer.count { return (downstream, true) }
        guard (timer.mistake == .sumsDemand ? timer.demandOfAll : demand) > .none else { return (nil, false) }
        if timer.mistake == .sumsDemand { timer.demandOfAll -= 1 } else { demand -= 1 }
        delivered += 1
        return (downstream, false)
      }
      guard let target else { return }
      if isEnd { return finish(target) }
      let more = target.receive(delivered)
      if timer.mistake != .throwsAwayReturnedDemand { add(more) }
    }

    private func finish(_ target: AnySubscriber<Int, Never>) {
      let repetition: (any Cancellable)? = timer.lock.withLock {
        (downstream, hasFinished) = (nil, true)
        if timer.mistake == .runsOnAfterEnd { return nil }
        defer { self.repetition = nil }
        return self.repetition
      }
      repetition?.cancel()
      target.receive(completion: .finished)
    }

    func request(_ demand: Subscribers.Demand) {
      if timer.mistake == .finishesAgain, timer.lock.withLock({ hasFinished }) {
        return kept.receive(completion: .finished)
      }
      add(demand)
    }

    func cancel() {
      let (old, repetition) = timer.lock.withLock {
        defer { (downstream, self.repetition) = (nil, nil) }
        return (downstream, self.repetition)
      }
      repetition?.cancel()
      withExtendedLifetime(old) {}
    }
  }
}
