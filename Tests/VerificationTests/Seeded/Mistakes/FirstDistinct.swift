// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: C-05 – when there are enough values, upstream is cancelled under the lock; a cancel of downstream is passed
// on outside it.
struct FirstDistinct<Upstream: Publisher>: Publisher where Upstream.Output: Hashable {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let limit: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Sieve(subscriber, limit))
  }

  private final class Sieve<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Output

    private let lock = NSLock()
    private let limit: Int
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var hasStarted = false
    private var seen: Set<Input> = []

    init(_ downstream: Downstream, _ limit: Int) { (self.downstream, self.limit) = (downstream, limit) }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> Downstream? in
        guard !hasStarted else { return nil }
        (hasStarted, upstream) = (true, subscription)
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.lock()
      guard upstream != nil, seen.count < limit, let target = downstream else {
        lock.unlock()
        return .none
      }
      guard seen.insert(input).inserted else {
        lock.unlock()
        return .max(1)
      }
      let isLast = seen.count == limit
      lock.unlock()
      let more = target.receive(input)
      guard isLast else { return more }
      finish()
      return .none
    }

    private func finish() {
      lock.lock()
      let (target, source, values) = (downstream, upstream, seen)
      (downstream, upstream, seen) = (nil, nil, [])
      source?.cancel()
      lock.unlock()
      withExtendedLifetime(values) { target?.receive(completion: .finished) }
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      lock.lock()
      guard let source = upstream else { return lock.unlock() }
      let (target, values) = (downstream, seen)
      (downstream, upstream, seen) = (nil, nil, [])
      lock.unlock()
      withExtendedLifetime((source, values)) { target?.receive(completion: completion) }
    }

    func request(_ more: Subscribers.Demand) {
      guard more > .none else { return }
      lock.withLock { upstream }?.request(more)
    }

    func cancel() {
      let old = lock.withLock {
        defer { (downstream, upstream, seen) = (nil, nil, []) }
        return (downstream, upstream, seen)
      }
      old.1?.cancel()
    }
  }
}
