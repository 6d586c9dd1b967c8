// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: S-11 – a cursor that was opened for the subscription is closed by cancel only when a row was read: cancelled
// before the first value, it stays open.
// The number of open cursors is guarded by the lock.
final class RowPool: @unchecked Sendable {
  private let lock = NSLock()
  private var cursors = 0
  var openCursors: Int { lock.withLock { cursors } }
  func open() { lock.withLock { cursors += 1 } }
  func close() { lock.withLock { cursors -= 1 } }
}

struct CursorRows: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let count: Int
  let pool: RowPool

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let inner = Inner(downstream: subscriber, count: count, pool: pool)
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
    private let pool: RowPool

    init(downstream: S, count: Int, pool: RowPool) {
      self.downstream = downstream
      self.count = count
      self.pool = pool
      pool.open()
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
        if next > count {
          downstream = nil
          draining = false
          lock.unlock()
          pool.close()
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
      let reading = next > 1
      downstream = nil
      lock.unlock()
      if old != nil, reading { pool.close() }
    }
  }
}
