// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: C-05 – the (recursive) lock is held while the downstream's receive(completion:) runs. It shows when another
// thread calls request or cancel during that callback: the call blocks until the callback returns, and both hang if
// the callback waits for it. Values and the handshake are delivered without the lock.
struct RunningMaximum<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(MaximumStage(downstream: subscriber))
  }
}

private final class MaximumStage<Downstream: Subscriber>: Subscriber, Subscription where Downstream.Input == Int {
  typealias Input = Int
  typealias Failure = Downstream.Failure

  private let lock = NSRecursiveLock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var maximum = Int.min

  init(downstream: Downstream) {
    self.downstream = downstream
  }

  func receive(subscription: any Subscription) {
    let target = lock.withLock { () -> Downstream? in
      guard upstream == nil, let downstream else { return nil }
      upstream = subscription
      return downstream
    }
    guard let target else {
      subscription.cancel()
      return
    }
    target.receive(subscription: self)
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    let (target, value) = lock.withLock { () -> (Downstream?, Int) in
      guard upstream != nil else { return (nil, 0) }
      maximum = max(maximum, input)
      return (downstream, maximum)
    }
    return target?.receive(value) ?? .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    _ = finish(completion)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let source = lock.withLock { upstream }
    source?.request(demand)
  }

  func cancel() {
    let taken = lock.withLock { takeBoth() }
    taken.source?.cancel()
  }

  // Returns the objects that are no longer needed, for release outside the lock.
  private func finish(
    _ completion: Subscribers.Completion<Failure>
  ) -> (target: Downstream?, source: (any Subscription)?) {
    lock.lock()
    defer { lock.unlock() }
    guard upstream != nil else { return (nil, nil) }
    let taken = takeBoth()
    taken.target?.receive(completion: completion)
    return taken
  }

  private func takeBoth() -> (target: Downstream?, source: (any Subscription)?) {
    defer {
      downstream = nil
      upstream = nil
    }
    return (downstream, upstream)
  }
}
