// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A running total: a scan that delivers the sum of all values so far.
///
/// Keeps all rules.
struct PlainTotal<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(downstream: subscriber))
  }

  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription where Downstream.Input == Int {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    private let lock = NSLock()
    private var downstream: Downstream?
    private var source: (any Subscription)?
    private var total = 0

    init(downstream: Downstream) {
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard source == nil, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      source = subscription
      lock.unlock()
      target.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      lock.lock()
      guard source != nil, let target = downstream else {
        lock.unlock()
        return .none
      }
      total &+= input
      let sum = total
      lock.unlock()
      return target.receive(sum)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock.lock()
      guard let old = source, let target = downstream else { return lock.unlock() }
      source = nil
      downstream = nil
      lock.unlock()
      withExtendedLifetime(old) { target.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      let asked = source
      lock.unlock()
      if demand > .none { asked?.request(demand) }
    }

    func cancel() {
      lock.lock()
      let old = source
      let released = downstream
      source = nil
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) { old?.cancel() }
    }
  }
}
