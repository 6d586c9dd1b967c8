// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: T-04 – the repeating timer is cancelled by `cancel()` and at the regular end, but not when a poll fails.
// Shows after a failure: the scheduler keeps an entry that fires forever (without effect). The subscriber is released.
struct Polling<Time: Scheduler>: Publisher {
  typealias Output = Int
  struct Failure: Error, Equatable {
    var turn: Int
  }

  let interval: Time.SchedulerTimeType.Stride
  let scheduler: Time
  let poll: (_ turn: Int) -> Result<Int, Failure>?  // nil: no more

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let run = Run(poll, subscriber)
    subscriber.receive(subscription: run)
    run.start(every: interval, on: scheduler)
  }

  private final class Run<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Failure {
    private let lock = NSLock()
    private let poll: (Int) -> Result<Int, Failure>?
    private var subscriber: S?
    private var timer: (any Cancellable)?
    private var demand = Subscribers.Demand.none
    private var turn = 0
    private var isPolling = false

    init(_ poll: @escaping (Int) -> Result<Int, Failure>?, _ subscriber: S) {
      (self.poll, self.subscriber) = (poll, subscriber)
    }

    func start(every interval: Time.SchedulerTimeType.Stride, on scheduler: Time) {
      guard lock.withLock({ subscriber != nil }) else { return }
      let started = scheduler.schedule(after: scheduler.now.advanced(by: interval), interval: interval) { self.tick() }
      let isWanted = lock.withLock {
        if subscriber != nil { timer = started }
        return subscriber != nil
      }
      if !isWanted { started.cancel() }
    }

    func request(_ more: Subscribers.Demand) { lock.withLock { demand += more } }

    func cancel() { stop().timer?.cancel() }

    private func stop() -> (subscriber: S?, timer: (any Cancellable)?) {
      lock.withLock {
        defer { (subscriber, timer) = (nil, nil) }
        return (subscriber, timer)
      }
    }

    private func tick() {
      let turn = lock.withLock { () -> Int? in
        guard subscriber != nil, !isPolling else { return nil }
        isPolling = true
        defer { self.turn += 1 }
        return self.turn
      }
      guard let turn else { return }
      switch poll(turn) {
      case .success(let value):
        deliver(value)
      case .failure(let error):
        let target = lock.withLock {
          defer { subscriber = nil }
          return subscriber
        }
        target?.receive(completion: .failure(error))
      case nil:
        let (target, timer) = stop()
        timer?.cancel()
        target?.receive(completion: .finished)
      }
    }

    private func deliver(_ value: Int) {
      let target = lock.withLock { () -> S? in
        guard demand > .none, let subscriber else { return nil }
        demand -= 1
        return subscriber
      }
      let extra = target?.receive(value) ?? .none
      lock.withLock { (demand, isPolling) = (demand + extra, false) }
    }
  }
}
