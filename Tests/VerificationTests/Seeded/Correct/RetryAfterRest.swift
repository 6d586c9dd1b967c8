// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: after a failure it rests, and subscribes to upstream again, up to a number of times, with all of the demand
// that has not been met, including demand that came during the rest. A cancel during the rest ends it.
struct RetryAfterRest<Upstream: Publisher, Context: Scheduler>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let retries: Int
  let rest: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    Attempts(subscriber, self).begin()
  }

  private final class Attempts<Downstream: Subscriber>: Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let lock = NSLock()
    private let plan: RetryAfterRest
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var attempt = 0
    private var hasStarted = false
    private var retriesLeft: Int
    private var demand = Subscribers.Demand.none
    private var deliveries = 0  // that are under way
    private var isFailed = false  // during a delivery

    init(_ downstream: Downstream, _ plan: RetryAfterRest) {
      (self.downstream, self.plan, retriesLeft) = (downstream, plan, plan.retries)
    }

    func begin() {
      let number = lock.withLock { () -> Int? in
        guard downstream != nil else { return nil }
        attempt += 1
        return attempt
      }
      if let number { plan.upstream.subscribe(Leg(self, number)) }
    }

    func started(_ number: Int, _ subscription: any Subscription) {
      lock.lock()
      guard let target = downstream, number == attempt, upstream == nil else {
        lock.unlock()
        return subscription.cancel()
      }
      upstream = subscription
      let (isFirst, owed) = (!hasStarted, demand)
      hasStarted = true
      lock.unlock()
      if isFirst { return target.receive(subscription: self) }
      if owed > .none { subscription.request(owed) }
    }

    func value(_ number: Int, _ value: Output) -> Subscribers.Demand {
      lock.lock()
      guard let target = downstream, number == attempt, upstream != nil, demand > .none else {
        lock.unlock()
        return .none
      }
      demand -= 1
      deliveries += 1
      lock.unlock()
      let more = target.receive(value)
      lock.lock()
      demand += more
      deliveries -= 1
      let mayRest = isFailed && deliveries == 0
      if mayRest { isFailed = false }
      let isLive = number == attempt && upstream != nil
      lock.unlock()
      if mayRest { takeRest() }
      return isLive ? more : .none
    }

    func ended(_ number: Int, _ completion: Subscribers.Completion<Upstream.Failure>) {
      lock.lock()
      guard let target = downstream, number == attempt, let source = upstream else { return lock.unlock() }
      upstream = nil
      if case .failure = completion, retriesLeft > 0 {
        retriesLeft -= 1
        attempt += 1  // nothing of this one is heard any more
        isFailed = deliveries > 0
        let mayRest = deliveries == 0
        lock.unlock()
        return withExtendedLifetime(source) { if mayRest { takeRest() } }
      }
      downstream = nil
      lock.unlock()
      withExtendedLifetime(source) { target.receive(completion: completion) }
    }

    private func takeRest() {
      plan.scheduler.schedule(after: plan.scheduler.now.advanced(by: plan.rest)) { self.begin() }
    }

    func request(_ more: Subscribers.Demand) {
      let source = lock.withLock {
        demand += more
        return upstream
      }
      if more > .none { source?.request(more) }
    }

    func cancel() {
      let old = lock.withLock {
        defer { (downstream, upstream) = (nil, nil) }
        return (downstream, upstream)
      }
      old.1?.cancel()
    }

    struct Leg: Subscriber {
      typealias Input = Output
      let attempts: Attempts
      let number: Int
      let combineIdentifier = CombineIdentifier()

      init(_ attempts: Attempts, _ number: Int) { (self.attempts, self.number) = (attempts, number) }

      func receive(subscription: any Subscription) { attempts.started(number, subscription) }
      func receive(_ input: Output) -> Subscribers.Demand { attempts.value(number, input) }
      func receive(completion: Subscribers.Completion<Upstream.Failure>) { attempts.ended(number, completion) }
    }
  }
}
