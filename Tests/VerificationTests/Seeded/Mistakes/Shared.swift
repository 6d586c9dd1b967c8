// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: J-06 – the number of users is not lowered when the upstream ends. Shows in the second life only: after the
// upstream has ended once, the next subscriber connects again, but the last cancel then leaves the count above zero and
// the connection running. While the upstream has never ended, the last cancel disconnects.
final class Shared<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let upstream: Upstream
  private let lock = NSLock()
  private var seats: [Seat] = []
  private var users = 0
  private var link: Link?

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let seat = Seat(self, AnySubscriber(subscriber))
    subscriber.receive(subscription: seat)
    let new = lock.withLock { () -> Link? in
      guard seat.subscriber != nil else { return nil }  // cancelled inside the handshake
      seats.append(seat)
      users += 1
      guard link == nil else { return nil }
      link = Link(self)
      return link
    }
    if let new { upstream.subscribe(new) }
    ask()
  }

  private func ask() {
    let target = lock.withLock { () -> (any Subscription)? in
      guard let link, !link.isAsked, seats.contains(where: { $0.demand > .none }) else { return nil }
      link.isAsked = link.subscription != nil
      return link.subscription
    }
    target?.request(.unlimited)
  }

  private final class Seat: Subscription {
    private let shared: Shared
    var subscriber: AnySubscriber<Output, Failure>?
    var demand = Subscribers.Demand.none

    init(_ shared: Shared, _ subscriber: AnySubscriber<Output, Failure>) {
      (self.shared, self.subscriber) = (shared, subscriber)
    }

    func request(_ more: Subscribers.Demand) {
      shared.lock.withLock { demand += more }
      shared.ask()
    }

    func cancel() {
      let (_, link, last) = shared.lock.withLock { () -> (Any, Link?, (any Subscription)?) in
        defer { subscriber = nil }
        guard let index = shared.seats.firstIndex(where: { $0 === self }) else { return (subscriber as Any, nil, nil) }
        shared.seats.remove(at: index)
        shared.users -= 1
        guard shared.users == 0 else { return (subscriber as Any, nil, nil) }
        defer { shared.link = nil }
        return (subscriber as Any, shared.link, shared.link?.subscription)
      }
      withExtendedLifetime(link) { last?.cancel() }
    }

    func offer(_ value: Output) {
      let target = shared.lock.withLock { () -> AnySubscriber<Output, Failure>? in
        guard let subscriber, demand > .none else { return nil }
        demand -= 1
        return subscriber
      }
      guard let extra = target?.receive(value) else { return }
      shared.lock.withLock { demand += extra }
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
      let target = shared.lock.withLock {
        defer { subscriber = nil }
        return subscriber
      }
      target?.receive(completion: completion)
    }
  }

  private final class Link: Subscriber {
    private let shared: Shared
    var subscription: (any Subscription)?
    var isAsked = false

    init(_ shared: Shared) { self.shared = shared }

    func receive(subscription new: any Subscription) {
      let isWanted = shared.lock.withLock {
        guard shared.link === self, subscription == nil else { return false }
        subscription = new
        return true
      }
      isWanted ? shared.ask() : new.cancel()
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      let seats = shared.lock.withLock { shared.link === self ? shared.seats : [] }
      seats.forEach { $0.offer(input) }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let (seats, _) = shared.lock.withLock { () -> ([Seat], Any) in
        guard shared.link === self else { return ([], ()) }
        defer { (shared.link, shared.seats, subscription) = (nil, [], nil) }
        return (shared.seats, subscription as Any)
      }
      seats.forEach { $0.end(completion) }
    }
  }
}
