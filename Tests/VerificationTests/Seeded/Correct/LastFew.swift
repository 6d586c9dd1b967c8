// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: asks for everything and keeps the newest few values for want of demand, in a ring: a new one takes the
// place of the oldest. The end waits until they are delivered; a failure does not, and drops them.
struct LastFew<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let capacity: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Keeper(subscriber, capacity))
  }

  private final class Keeper<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Output

    private let lock = NSLock()
    private let capacity: Int
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var hasStarted = false
    private var slots: [Input?]
    private var (first, count) = (0, 0)
    private var end: Subscribers.Completion<Upstream.Failure>?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // until the handshake is over

    init(_ downstream: Downstream, _ capacity: Int) {
      (self.downstream, self.capacity) = (downstream, capacity)
      slots = Array(repeating: nil, count: capacity)
    }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> Downstream? in
        guard !hasStarted else { return nil }
        (hasStarted, upstream) = (true, subscription)
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      deliver()
      lock.withLock { upstream }?.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.lock()
      guard upstream != nil else {
        lock.unlock()
        return .none
      }
      let place = (first + count) % capacity
      let dropped = slots[place]
      slots[place] = input
      if count < capacity { count += 1 } else { first = (first + 1) % capacity }
      let isMine = claim()
      lock.unlock()
      withExtendedLifetime(dropped) {}
      if isMine { deliver() }
      return .none
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      var dropped: [Input?] = []
      lock.lock()
      guard let source = upstream else { return lock.unlock() }
      (upstream, end) = (nil, completion)
      if case .failure = completion { (dropped, slots, count) = (slots, [], 0) }
      let isMine = claim()
      lock.unlock()
      withExtendedLifetime((source, dropped)) {}
      if isMine { deliver() }
    }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock {
        demand += more
        return claim()
      }
      if isMine { deliver() }
    }

    func cancel() {
      let old = lock.withLock {
        defer { (downstream, upstream, slots, count) = (nil, nil, [], 0) }
        return (downstream, upstream, slots)
      }
      old.1?.cancel()
    }

    private func claim() -> Bool {
      defer { isDelivering = true }
      return !isDelivering
    }

    private func deliver() {
      while let (target, value) = lock.withLock({ next() }) {
        guard let value else { return target.receive(completion: end ?? .finished) }
        let more = target.receive(value)
        lock.withLock { demand += more }
      }
    }

    // A value, or nil for the end.
    private func next() -> (Downstream, Input?)? {
      guard let target = downstream, count > 0 ? demand > .none : end != nil else {
        isDelivering = false
        return nil
      }
      guard count > 0 else {
        downstream = nil
        return (target, nil)
      }
      demand -= 1
      let value = slots[first]
      slots[first] = nil
      first = (first + 1) % capacity
      count -= 1
      return (target, value)
    }
  }
}
