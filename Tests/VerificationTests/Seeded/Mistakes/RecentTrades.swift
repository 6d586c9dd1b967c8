// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-13 – in a full ring a new value takes the place of the oldest, which is right, but its slot stays the next
// to be delivered: once more values have come than there is room for, the newest go out before older ones.
struct RecentTrades<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let size: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Desk(subscriber, size))
  }

  private final class Desk<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Output

    private let lock = NSLock()
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var isAttached = false
    private var ring: [Input?]
    private var (head, count) = (0, 0)
    private var completion: Subscribers.Completion<Upstream.Failure>?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // until the handshake is over

    init(_ downstream: Downstream, _ size: Int) {
      self.downstream = downstream
      ring = Array(repeating: nil, count: size)
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard !isAttached, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      (isAttached, upstream) = (true, subscription)
      lock.unlock()
      target.receive(subscription: self)
      lock.withLock { isDelivering = false }
      deliver()
      lock.withLock { upstream }?.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.lock()
      guard upstream != nil else {
        lock.unlock()
        return .none
      }
      let place = (head + count) % ring.count
      let oldest = ring[place]
      ring[place] = input
      count = Swift.min(count + 1, ring.count)
      lock.unlock()
      withExtendedLifetime(oldest) {}
      deliver()
      return .none
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      var dropped: [Input?] = []
      lock.lock()
      guard let source = upstream else { return lock.unlock() }
      (upstream, self.completion) = (nil, completion)
      if case .failure = completion { (dropped, ring, count) = (ring, [], 0) }
      lock.unlock()
      withExtendedLifetime((source, dropped)) {}
      deliver()
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { demand += more }
      deliver()
    }

    func cancel() {
      lock.lock()
      let (target, source, values) = (downstream, upstream, ring)
      (downstream, upstream, ring, count) = (nil, nil, [], 0)
      lock.unlock()
      withExtendedLifetime((target, values)) { source?.cancel() }
    }

    private func deliver() {
      lock.lock()
      guard !isDelivering else { return lock.unlock() }
      isDelivering = true
      while let target = downstream {
        if count == 0, let completion {
          downstream = nil
          lock.unlock()
          target.receive(completion: completion)
          lock.lock()
          break
        }
        guard count > 0, demand > .none, let value = ring[head] else { break }
        ring[head] = nil
        (head, count) = ((head + 1) % ring.count, count - 1)
        demand -= 1
        lock.unlock()
        let more = target.receive(value)
        lock.lock()
        demand += more
      }
      isDelivering = false
      lock.unlock()
    }
  }
}
