// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: several upstreams one after the other, each subscribed when the one before has finished; the demand that is
// left is carried over. Unusual: it loops over upstreams that end at once (no recursion), and an upstream that ends
// inside the delivery of its own value is followed by the next only when that delivery has returned.
struct InTurn<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstreams: [Upstream]

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let tour = Tour(upstreams, subscriber)
    subscriber.receive(subscription: tour)
    tour.moveOn()
  }

  private final class Tour<S: Subscriber>: Subscription
  where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
    fileprivate let lock = NSLock()
    private let upstreams: [Upstream]
    private var downstream: S?
    private var next = 0
    private var leg: Leg?
    private var demand = Subscribers.Demand.none
    private var (isMoving, deliveries) = (false, 0)

    init(_ upstreams: [Upstream], _ downstream: S) { (self.upstreams, self.downstream) = (upstreams, downstream) }

    func moveOn() {
      let mayMove = lock.withLock {
        guard !isMoving else { return false }
        isMoving = true
        return true
      }
      if mayMove { while moveOnce() {} }
    }

    private func moveOnce() -> Bool {
      lock.lock()
      guard let downstream, leg == nil, deliveries == 0 else {
        isMoving = false
        lock.unlock()
        return false
      }
      guard next < upstreams.count else {
        self.downstream = nil
        lock.unlock()
        downstream.receive(completion: .finished)
        return false
      }
      let (upstream, new) = (upstreams[next], Leg(self))
      (next, leg) = (next + 1, new)
      lock.unlock()
      upstream.subscribe(new)
      return true
    }

    func request(_ more: Subscribers.Demand) {
      guard more > .none else { return }
      let target = lock.withLock {
        demand += more
        return leg?.subscription
      }
      target?.request(more)
    }

    func cancel() { take().subscription?.cancel() }

    private func take() -> (downstream: S?, leg: Leg?, subscription: (any Subscription)?) {
      lock.withLock {
        let gone = (downstream, leg, leg?.subscription)
        leg?.subscription = nil
        (downstream, leg) = (nil, nil)
        return gone
      }
    }

    private final class Leg: Subscriber {
      typealias Input = Upstream.Output
      typealias Failure = Upstream.Failure
      let tour: Tour
      var subscription: (any Subscription)?

      init(_ tour: Tour) { self.tour = tour }

      func receive(subscription new: any Subscription) {
        let first = tour.lock.withLock { () -> Subscribers.Demand? in
          guard tour.leg === self, subscription == nil else { return nil }
          subscription = new
          return tour.demand
        }
        guard let first else { return new.cancel() }
        if first > .none { new.request(first) }
      }

      func receive(_ input: Input) -> Subscribers.Demand {
        let target = tour.lock.withLock { () -> S? in
          guard tour.leg === self, subscription != nil, tour.demand > .none else { return nil }
          (tour.demand, tour.deliveries) = (tour.demand - 1, tour.deliveries + 1)
          return tour.downstream
        }
        guard let target else { return .none }
        let extra = target.receive(input)
        let isCurrent = tour.lock.withLock {
          (tour.demand, tour.deliveries) = (tour.demand + extra, tour.deliveries - 1)
          return tour.leg === self
        }
        if !isCurrent { tour.moveOn() }
        return isCurrent ? extra : .none
      }

      func receive(completion: Subscribers.Completion<Failure>) {
        let step = tour.lock.withLock { () -> (ended: any Subscription, target: S?)? in
          guard tour.leg === self, let ended = subscription else { return nil }
          (subscription, tour.leg) = (nil, nil)
          guard case .failure = completion else { return (ended, nil) }
          defer { tour.downstream = nil }
          return (ended, tour.downstream)
        }
        guard let step else { return }
        step.target?.receive(completion: completion)
        if step.target == nil { tour.moveOn() }
      }
    }
  }
}
