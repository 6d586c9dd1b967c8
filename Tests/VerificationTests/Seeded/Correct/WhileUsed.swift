// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: a ref-counted share. Connects at the first subscriber, asks for everything once anybody asks, disconnects at
// the last cancel, starts again after that and after the upstream's end. Unusual: a value for which a subscriber has
// demand waits while that subscriber is busy (in its handshake, or in a delivery); without demand it misses the value.
final class WhileUsed<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let upstream: Upstream
  private let lock = NSLock()
  private var seats: [Seat] = []
  private var link: Link?

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let seat = Seat(self, AnySubscriber(subscriber))
    lock.withLock { seats.append(seat) }
    subscriber.receive(subscription: seat)
    seat.serve(handshake: true)
    let new = lock.withLock { () -> Link? in
      guard link == nil, seats.contains(where: { $0 === seat }) else { return nil }
      link = Link(self)
      return link
    }
    if let new { upstream.subscribe(new) }
    ask()
  }

  private func ask() {
    let target = lock.withLock { () -> (any Subscription)? in
      guard let link, !link.hasAsked, seats.contains(where: { $0.demand > .none }) else { return nil }
      link.hasAsked = link.subscription != nil
      return link.subscription
    }
    target?.request(.unlimited)
  }

  private final class Seat: Subscription {
    private let shared: WhileUsed
    private var subscriber: AnySubscriber<Output, Failure>?
    private var isBusy = true  // in the handshake
    var demand = Subscribers.Demand.none
    var (waiting, end): ([Output], Subscribers.Completion<Failure>?) = ([], nil)

    init(_ shared: WhileUsed, _ subscriber: AnySubscriber<Output, Failure>) {
      (self.shared, self.subscriber) = (shared, subscriber)
    }

    func request(_ more: Subscribers.Demand) {
      shared.lock.withLock { demand += more }
      shared.ask()
    }

    func cancel() {
      typealias Gone = (Any, link: Link?, subscription: (any Subscription)?)
      let gone = shared.lock.withLock { () -> Gone in
        defer { (subscriber, waiting) = (nil, []) }
        let wasSeated = shared.seats.contains { $0 === self }
        shared.seats.removeAll { $0 === self }
        guard wasSeated, shared.seats.isEmpty else { return ((subscriber, waiting), nil, nil) }
        defer { shared.link = nil }
        return ((subscriber, waiting), shared.link, shared.link?.subscription)
      }
      gone.subscription?.cancel()
    }

    func serve(handshake: Bool = false) {
      let mayServe = shared.lock.withLock {
        defer { isBusy = true }
        return handshake || !isBusy
      }
      if mayServe { while serveNext() {} }
    }

    private func serveNext() -> Bool {
      shared.lock.lock()
      guard let subscriber, !waiting.isEmpty || end != nil else {
        isBusy = false
        shared.lock.unlock()
        return false
      }
      if waiting.isEmpty, let end {
        self.subscriber = nil
        shared.lock.unlock()
        subscriber.receive(completion: end)
        return false
      }
      let value = waiting.removeFirst()
      shared.lock.unlock()
      let extra = subscriber.receive(value)
      shared.lock.withLock { demand += extra }
      return true
    }
  }

  private final class Link: Subscriber {
    private let shared: WhileUsed
    var subscription: (any Subscription)?
    var hasAsked = false

    init(_ shared: WhileUsed) { self.shared = shared }

    func receive(subscription new: any Subscription) {
      let isWanted = shared.lock.withLock {
        guard shared.link === self, subscription == nil else { return false }
        subscription = new
        return true
      }
      isWanted ? shared.ask() : new.cancel()
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      let seats = shared.lock.withLock { () -> [Seat] in
        guard shared.link === self else { return [] }
        for seat in shared.seats where seat.demand > .none {
          seat.demand -= 1
          seat.waiting.append(input)
        }
        return shared.seats
      }
      seats.forEach { $0.serve() }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let (seats, _) = shared.lock.withLock { () -> ([Seat], Any) in
        guard shared.link === self else { return ([], ()) }
        for seat in shared.seats { seat.end = completion }
        defer { (shared.seats, shared.link, subscription) = ([], nil, nil) }
        return (shared.seats, subscription as Any)
      }
      seats.forEach { $0.serve() }
    }
  }
}
