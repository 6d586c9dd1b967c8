// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: T-03 – each tick is dated from "now" after the delivery, so ticks drift by the time that the subscriber (or a
// late scheduler) takes.
struct HeartBeats<Context: Scheduler>: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let count: Int
  let interval: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let inner = Inner(subscriber, self)
    subscriber.receive(subscription: inner)
    inner.arm(0)
  }

  // All mutable state is guarded by the lock.
  private final class Inner<S: Subscriber>: Subscription, @unchecked Sendable
  where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private let beats: HeartBeats
    private var downstream: S?
    private var pending = Subscribers.Demand.none
    private var tick = 0
    private var token: (any Cancellable)?

    init(_ downstream: S, _ beats: HeartBeats) {
      self.downstream = downstream
      self.beats = beats
    }

    func arm(_ number: Int) {
      if number >= beats.count { return finish() }
      guard lock.withLock({ downstream != nil }) else { return }
      let date = beats.scheduler.now.advanced(by: beats.interval)
      let new = beats.scheduler.schedule(after: date, interval: beats.interval) { self.fire(number) }
      lock.lock()
      let stale = downstream == nil || tick != number
      if !stale { token = new }
      lock.unlock()
      if stale { new.cancel() }
    }

    private func fire(_ number: Int) {
      lock.lock()
      guard let target = downstream, tick == number else { return lock.unlock() }
      tick += 1
      let old = token
      token = nil
      let wanted = pending > .none
      if wanted { pending -= 1 }
      lock.unlock()
      old?.cancel()
      if wanted {
        let more = target.receive(number)
        lock.withLock { pending += more }
      }
      arm(number + 1)
    }

    private func finish() { close().0?.receive(completion: .finished) }
    func request(_ demand: Subscribers.Demand) { lock.withLock { pending += demand } }
    func cancel() { close().1?.cancel() }

    private func close() -> (S?, (any Cancellable)?) {
      lock.withLock {
        let old = (downstream, token)
        (downstream, token) = (nil, nil)
        return old
      }
    }
  }
}
