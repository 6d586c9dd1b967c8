// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-07 – an empty list (count 0) completes only once something was requested; lists with values end with
// the last value.
struct ShelfMarks: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let inner = Inner(downstream: subscriber, count: count)
    subscriber.receive(subscription: inner)
    inner.drain()
  }

  // All mutable state is guarded by the lock.
  private final class Inner<S: Subscriber>: Subscription, @unchecked Sendable
  where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private var downstream: S?
    private var next = 1
    private let count: Int
    private var draining = true
    private var pending = Subscribers.Demand.none

    init(downstream: S, count: Int) {
      self.downstream = downstream
      self.count = count
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > .none else { return }
      lock.lock()
      add(demand)
      guard !draining, downstream != nil else { return lock.unlock() }
      draining = true
      lock.unlock()
      drain()
    }

    private func add(_ demand: Subscribers.Demand) { pending += demand }
    private func spend() { pending -= 1 }

    func drain() {
      while true {
        lock.lock()
        guard let target = downstream else {
          draining = false
          return lock.unlock()
        }
        if next > count && (count > 0 || pending > .none) {
          downstream = nil
          draining = false
          lock.unlock()
          return target.receive(completion: .finished)
        }
        guard pending != 0 else {
          draining = false
          return lock.unlock()
        }
        let value = next
        next += 1
        spend()
        lock.unlock()
        let more = target.receive(value)
        guard more > .none else { continue }
        lock.lock()
        add(more)
        lock.unlock()
      }
    }

    func cancel() {
      lock.lock()
      let old = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(old) {}
    }
  }
}
