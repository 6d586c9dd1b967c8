// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore

// Correct: an endless, finite, empty or failing source, delivered asynchronously: every burst of demand is served by a
// thread of its own that ends when the demand is used up, so deliveries come from changing threads but never overlap.
struct Courier: Publisher {
  typealias Output = Int
  struct Failure: Error, Equatable {}

  var count: Int?  // nil: endless
  var isLostAtEnd = false
  /// Entered while a thread delivers: a verification has to know when all values have come.
  var underWay = DispatchGroup()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let round = Round(count, isLostAtEnd ? .failure(Failure()) : .finished, AnySubscriber(subscriber), underWay)
    subscriber.receive(subscription: round)
    round.handshakeReturned()
  }

  private final class Round: Subscription, @unchecked Sendable {
    // `@unchecked`: the lock guards all mutable state.

    private let lock = NSLock()
    private let underWay: DispatchGroup
    private let count: Int?
    private let end: Subscribers.Completion<Failure>
    private var subscriber: AnySubscriber<Int, Failure>?
    private var next = 0
    private var demand = Subscribers.Demand.none
    private var isUnderWay = true  // the handshake counts as a delivery

    init(
      _ count: Int?, _ end: Subscribers.Completion<Failure>, _ subscriber: AnySubscriber<Int, Failure>,
      _ underWay: DispatchGroup
    ) {
      (self.count, self.end, self.subscriber, self.underWay) = (count, end, subscriber, underWay)
    }

    private var hasWork: Bool { subscriber != nil && (next == count || demand > .none) }

    func handshakeReturned() {
      let mustGo = lock.withLock {
        isUnderWay = hasWork
        return isUnderWay
      }
      if mustGo { go() }
    }

    func request(_ more: Subscribers.Demand) {
      let mustGo = lock.withLock {
        demand += more
        guard !isUnderWay, hasWork else { return false }
        isUnderWay = true
        return true
      }
      if mustGo { go() }
    }

    func cancel() {
      let last = lock.withLock {
        defer { subscriber = nil }
        return subscriber
      }
      // Without a use after the lock, the optimiser releases it inside.
      withExtendedLifetime(last) {}
    }

    private func go() {
      // Not the global queue: it has no thread left while others block all of its threads.
      DispatchQueue(label: "courier").async(group: underWay) { while self.deliverNext() {} }
    }

    private func deliverNext() -> Bool {
      lock.lock()
      guard hasWork, let subscriber else {
        isUnderWay = false
        lock.unlock()
        return false
      }
      if next == count {
        self.subscriber = nil
        lock.unlock()
        subscriber.receive(completion: end)
        return false
      }
      let value = next
      next += 1
      demand -= 1
      lock.unlock()
      let extra = subscriber.receive(value)
      lock.withLock { demand += extra }
      return true
    }
  }
}
