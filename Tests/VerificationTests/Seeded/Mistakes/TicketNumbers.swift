// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: S-08 – a finite demand that follows an unlimited one replaces it: after unlimited demand, a request(.max(1))
// (or a returned .max(1)) while values are still to come makes the stream stop after the finite part.
struct TicketNumbers: Publisher {
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
    private var pending: Int? = 0  // nil: unlimited

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

    private func add(_ demand: Subscribers.Demand) {
      guard let amount = demand.max else { return pending = nil }
      let (sum, overflow) = (pending ?? 0).addingReportingOverflow(amount)
      pending = overflow ? nil : sum
    }
    private func spend() { pending = pending.map { $0 - 1 } }

    func drain() {
      while true {
        lock.lock()
        guard let target = downstream else {
          draining = false
          return lock.unlock()
        }
        if next > count {
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
