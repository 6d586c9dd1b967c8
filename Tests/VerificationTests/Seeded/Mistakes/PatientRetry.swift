// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: T-02 – a cancel during the pause is not seen when the pause is over: upstream is subscribed to, and asked,
// once more, and nobody is left to cancel it.
struct PatientRetry<Upstream: Publisher, Context: Scheduler>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let attempts: Int
  let pause: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    Caller(subscriber, self).callAgain()
  }

  private final class Caller<Downstream: Subscriber>: Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let lock = NSLock()
    private let retry: PatientRetry
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var call = 0
    private var isCalling = false
    private var isHandedOver = false
    private var demand = Subscribers.Demand.none
    private var depth = 0  // of deliveries
    private var isToWait = false  // when they are over

    init(_ downstream: Downstream, _ retry: PatientRetry) { (self.downstream, self.retry) = (downstream, retry) }

    func callAgain() {
      let number = lock.withLock {
        call += 1
        isCalling = true
        return call
      }
      retry.upstream.subscribe(
        AnySubscriber<Output, Failure>(
          receiveSubscription: { self.connected($0, number) },
          receiveValue: { self.received($0, number) },
          receiveCompletion: { self.disconnected($0, number) }))
    }

    private func connected(_ subscription: any Subscription, _ number: Int) {
      lock.lock()
      guard number == call, isCalling else {
        lock.unlock()
        return subscription.cancel()
      }
      (upstream, isCalling) = (subscription, false)
      let (target, owed) = (isHandedOver ? nil : downstream, demand)
      isHandedOver = true
      lock.unlock()
      target?.receive(subscription: self)
      if owed > .none { subscription.request(owed) }
    }

    private func received(_ value: Output, _ number: Int) -> Subscribers.Demand {
      lock.lock()
      guard let target = downstream, number == call, upstream != nil, demand > .none else {
        lock.unlock()
        return .none
      }
      demand -= 1
      depth += 1
      lock.unlock()
      let more = target.receive(value)
      lock.lock()
      demand += more
      depth -= 1
      let (isLive, isOver) = (upstream != nil, isToWait && depth == 0)
      if isOver { isToWait = false }
      lock.unlock()
      if isOver { wait() }
      return isLive ? more : .none
    }

    private func disconnected(_ completion: Subscribers.Completion<Upstream.Failure>, _ number: Int) {
      lock.lock()
      guard let target = downstream, number == call, let source = upstream else { return lock.unlock() }
      upstream = nil
      guard case .failure = completion, call < retry.attempts else {
        downstream = nil
        lock.unlock()
        return withExtendedLifetime(source) { target.receive(completion: completion) }
      }
      isToWait = depth > 0
      let isOver = depth == 0
      lock.unlock()
      withExtendedLifetime(source) { if isOver { wait() } }
    }

    private func wait() {
      let date = retry.scheduler.now.advanced(by: retry.pause)
      retry.scheduler.schedule(after: date) { self.callAgain() }
    }

    func request(_ more: Subscribers.Demand) {
      lock.lock()
      demand += more
      let source = upstream
      lock.unlock()
      if more > .none { source?.request(more) }
    }

    func cancel() {
      lock.lock()
      let (target, source) = (downstream, upstream)
      (downstream, upstream) = (nil, nil)
      lock.unlock()
      withExtendedLifetime(target) { source?.cancel() }
    }
  }
}
