// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-04 – a value equal to the one before it is swallowed and not replaced in demand: with finite demand
// and a repeat in the input the stream stalls.
struct WithoutRepeats<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure
  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.receive(subscriber: Inner(subscriber))
  }

  // All mutable state is guarded by the lock.
  private final class Inner<S: Subscriber>: Subscriber, Subscription, @unchecked Sendable
  where S.Input == Int, S.Failure == Failure {
    private let lock = NSLock()
    private var downstream: S?
    private var upstream: (any Subscription)?
    private var last: Int?

    init(_ downstream: S) { self.downstream = downstream }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard upstream == nil, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      upstream = subscription
      lock.unlock()
      target.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      lock.lock()
      guard upstream != nil, let target = downstream, input != last else {
        lock.unlock()
        return .none
      }
      last = input
      lock.unlock()
      return target.receive(input)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock.lock()
      guard upstream != nil else { return lock.unlock() }
      let (target, source) = (downstream, upstream)
      (downstream, upstream) = (nil, nil)
      lock.unlock()
      withExtendedLifetime(source) { target?.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > .none else { return }
      lock.lock()
      let source = upstream
      lock.unlock()
      source?.request(demand)
    }

    func cancel() {
      lock.lock()
      let (target, source) = (downstream, upstream)
      (downstream, upstream) = (nil, nil)
      lock.unlock()
      withExtendedLifetime(target) { source?.cancel() }
    }
  }
}
