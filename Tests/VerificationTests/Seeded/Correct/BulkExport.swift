// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore

// Correct: small requests are met by the caller, and large ones by a thread of their own, so that the caller does not
// wait for them. The call that requests decides who delivers, before there is a thread; there is always at most one.
struct BulkExport: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  let underWay = DispatchGroup()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let export = Export(subscriber, count, underWay)
    subscriber.receive(subscription: export)
    export.start()
  }

  // All mutable state is guarded by the lock.
  private final class Export<S: Subscriber>: Subscription, @unchecked Sendable
  where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private let count: Int
    private let underWay: DispatchGroup
    private var downstream: S?
    private var demand = Subscribers.Demand.none
    private var position = 0
    private var isDelivering = true  // until the handshake is over

    init(_ downstream: S, _ count: Int, _ underWay: DispatchGroup) {
      (self.downstream, self.count, self.underWay) = (downstream, count, underWay)
    }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock {
        demand += more
        defer { isDelivering = true }
        return !isDelivering
      }
      if isMine { start() }
    }

    func cancel() {
      let old = lock.withLock {
        defer { downstream = nil }
        return downstream
      }
      withExtendedLifetime(old) {}
    }

    // Called by the thread that has set isDelivering.
    func start() {
      let isLarge = lock.withLock { downstream != nil && demand > 512 && count - position > 512 }
      guard isLarge else { return deliver() }
      underWay.enter()
      nonisolated(unsafe) let deliver = { self.deliver() }
      Thread.detachNewThread { [underWay] in
        deliver()
        underWay.leave()
      }
    }

    private func deliver() {
      while let (target, value) = lock.withLock({ next() }) {
        guard let value else { return target.receive(completion: .finished) }
        let more = target.receive(value)
        lock.withLock { demand += more }
      }
    }

    // A value, or nil for the end.
    private func next() -> (S, Int?)? {
      guard let target = downstream, position == count || demand > .none else {
        isDelivering = false
        return nil
      }
      guard position < count else {
        downstream = nil
        return (target, nil)
      }
      demand -= 1
      position += 1
      return (target, position - 1)
    }
  }
}
