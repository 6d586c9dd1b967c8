// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

/// The mistakes of timers, each of which breaks one rule.
enum TimerFault: String, CaseIterable, Sendable {
  case firstInRequest, reschedulesFromNow, rearmsAfterCancel, repeatsForever, sendsStoredTicks

  var rule: String {
    switch self {
    case .firstInRequest: "T-01"
    case .reschedulesFromNow: "T-03"
    case .rearmsAfterCancel, .repeatsForever: "T-04"
    case .sendsStoredTicks: "T-05"
    }
  }
}

/// A timer that drops ticks without demand, and ends after some; with or without a mistake.
struct ZooTimer: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  let scheduler: VerificationScheduler
  let fault: TimerFault?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    ZooTimerSubscription(self, AnySubscriber(subscriber)).begin()
  }
}

private final class ZooTimerSubscription: Subscription, CustomStringConvertible {
  private let lock = NSLock()
  private let timer: ZooTimer
  private var downstream: AnySubscriber<Int, Never>?
  private var demand = Subscribers.Demand.none
  private var delivered = 0
  private var stored = 0
  private var isBusy = true
  private var hasBegun = false
  private var due: VirtualTime
  private var repetition: (any Cancellable)?

  init(_ timer: ZooTimer, _ downstream: AnySubscriber<Int, Never>) {
    (self.timer, self.downstream) = (timer, downstream)
    due = timer.scheduler.now.advanced(by: 1)
  }

  var description: String { "ZooTimer" }

  func begin() {
    lock.withLock { downstream }?.receive(subscription: self)
    lock.withLock { isBusy = false }
    if timer.fault == .repeatsForever {
      let repetition = timer.scheduler.schedule(after: due, interval: 1) { self.tick() }
      lock.withLock { self.repetition = repetition }
    } else {
      arm()
    }
  }

  private func arm() {
    timer.scheduler.schedule(after: due) {
      let goesOn = self.tick() || self.timer.fault == .rearmsAfterCancel
      let from = self.timer.fault == .reschedulesFromNow ? self.timer.scheduler.now : self.due
      self.due = from.advanced(by: 1)
      if goesOn { self.arm() }
    }
  }

  /// - Returns: Whether it continues.
  @discardableResult
  private func tick() -> Bool {
    if timer.fault == .sendsStoredTicks { lock.withLock { stored += 1 } }
    deliver()
    return lock.withLock { downstream != nil }
  }

  private func deliver() {
    while true {
      let (next, end): (AnySubscriber<Int, Never>?, AnySubscriber<Int, Never>?) = lock.withLock {
        guard let downstream, !isBusy else { return (nil, nil) }
        if delivered == timer.count {
          self.downstream = nil
          return (nil, downstream)
        }
        guard demand > .none, timer.fault != .sendsStoredTicks || stored > 0 else { return (nil, nil) }
        demand -= 1
        delivered += 1
        stored -= 1
        isBusy = true
        return (downstream, nil)
      }
      end?.receive(completion: .finished)
      guard let next else { return }
      let more = next.receive(delivered - 1)
      let isOver = lock.withLock {
        isBusy = false
        demand += more
        return delivered == timer.count
      }
      if !isOver, timer.fault != .sendsStoredTicks { return }
    }
  }

  func request(_ demand: Subscribers.Demand) {
    let isFirst = lock.withLock {
      self.demand += demand
      defer { hasBegun = true }
      return !hasBegun
    }
    if timer.fault == .firstInRequest, isFirst { deliver() }
    if timer.fault == .sendsStoredTicks { deliver() }
  }

  func cancel() {
    let old = lock.withLock {
      defer { downstream = nil }
      return downstream
    }
    withExtendedLifetime(old) {}
  }
}
