// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: a tick without demand, or during a delivery, is skipped and does not count, so the values are 0, 1, 2 …
// without gaps whatever the demand; `request` never delivers. Tick k is due at the subscription + k · interval.
struct PollEvery<Context: Scheduler>: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let interval: Context.SchedulerTimeType.Stride
  let scheduler: Context
  // How many values there are; `nil` for no end.
  var limit: Int?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let poll = Poll(subscriber, limit)
    subscriber.receive(subscription: poll)
    poll.start(every: interval, on: scheduler)
  }

  private final class Poll<Downstream: Subscriber>: Subscription
  where Downstream.Input == Int, Downstream.Failure == Never {
    private let lock = NSLock()
    private let limit: Int?
    private var downstream: Downstream?
    private var timer: (any Cancellable)?
    private var demand = Subscribers.Demand.none
    private var count = 0
    private var isDelivering = false

    init(_ downstream: Downstream, _ limit: Int?) {
      self.downstream = downstream
      self.limit = limit
    }

    func start(every interval: Context.SchedulerTimeType.Stride, on scheduler: Context) {
      if limit == 0 { stop()?.receive(completion: .finished) }
      guard lock.withLock({ downstream != nil }) else { return }
      let first = scheduler.now.advanced(by: interval)
      let timer = scheduler.schedule(after: first, interval: interval) { self.tick() }
      let isWanted = lock.withLock { () -> Bool in
        if downstream != nil { self.timer = timer }
        return downstream != nil
      }
      if !isWanted { timer.cancel() }
    }

    private func tick() {
      let due = lock.withLock { () -> (Downstream, Int)? in
        guard let downstream, !isDelivering, demand > 0 else { return nil }
        isDelivering = true
        demand -= 1
        defer { count += 1 }
        return (downstream, count)
      }
      guard let (downstream, number) = due else { return }
      let more = downstream.receive(number)
      let isLast = lock.withLock { () -> Bool in
        demand += more
        isDelivering = count == limit  // no other tick comes between the last value and the end
        return isDelivering
      }
      if isLast { stop()?.receive(completion: .finished) }
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { demand += more }
    }

    func cancel() { _ = stop() }

    private func stop() -> Downstream? {
      let (downstream, timer) = lock.withLock { () -> (Downstream?, (any Cancellable)?) in
        defer { (self.downstream, self.timer) = (nil, nil) }
        return (self.downstream, self.timer)
      }
      timer?.cancel()
      return downstream
    }
  }
}
