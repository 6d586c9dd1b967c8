// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: an operator that emits the difference of each value to the one before it. Unusual: the first value is
// swallowed and replaced by one more unit of demand; demand that is requested inside the handshake goes upstream after
// it.
struct Steps<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber))
  }

  private final class Inner<S: Subscriber>: Subscriber, Subscription
  where S.Input == Int, S.Failure == Upstream.Failure {
    private let lock = NSLock()
    private var downstream: S?
    private var upstream: (any Subscription)?
    private var (hasStarted, isOpen) = (false, false)
    private var early = Subscribers.Demand.none
    private var previous: Int?

    init(_ downstream: S) { self.downstream = downstream }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> S? in
        guard !hasStarted, let downstream else { return nil }
        (hasStarted, upstream) = (true, subscription)
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      let first = lock.withLock {
        isOpen = true
        return upstream == nil ? .none : early
      }
      if first > .none { subscription.request(first) }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      let step = lock.withLock { () -> (target: S, difference: Int?)? in
        guard let downstream, upstream != nil else { return nil }
        defer { previous = input }
        return (downstream, previous.map { input &- $0 })
      }
      guard let step else { return .none }
      guard let difference = step.difference else { return .max(1) }
      let extra = step.target.receive(difference)
      return lock.withLock { upstream == nil ? .none : extra }
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      guard lock.withLock({ upstream != nil }) else { return }
      take().downstream?.receive(completion: completion)
    }

    func request(_ more: Subscribers.Demand) {
      guard more > .none else { return }
      let target = lock.withLock { () -> (any Subscription)? in
        guard isOpen else {
          early += more
          return nil
        }
        return upstream
      }
      target?.request(more)
    }

    func cancel() { take().upstream?.cancel() }

    private func take() -> (downstream: S?, upstream: (any Subscription)?) {
      lock.withLock {
        defer { (downstream, upstream) = (nil, nil) }
        return (downstream, upstream)
      }
    }
  }
}
