// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: C-05 – the closure is called with the (recursive) lock held: a request or cancel from another thread
// waits until the closure has returned.
struct Smoothed<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure
  let upstream: Upstream
  let initial: Int
  let combine: (Int, Int) -> Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.receive(subscriber: Inner(subscriber, initial, combine))
  }

  // All mutable state is guarded by the lock.
  private final class Inner<S: Subscriber>: Subscriber, Subscription, @unchecked Sendable
  where S.Input == Int, S.Failure == Failure {
    private let lock = NSRecursiveLock()
    private var downstream: S?
    private var upstream: (any Subscription)?
    private var last: Int
    private let combine: (Int, Int) -> Int

    init(_ downstream: S, _ initial: Int, _ combine: @escaping (Int, Int) -> Int) {
      self.downstream = downstream
      self.last = initial
      self.combine = combine
    }

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
      guard upstream != nil, downstream != nil else {
        lock.unlock()
        return .none
      }
      let value = combine(last, input)
      last = value
      let target = downstream
      lock.unlock()
      return target?.receive(value) ?? .none
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
