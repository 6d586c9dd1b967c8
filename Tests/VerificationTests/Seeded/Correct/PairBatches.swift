// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A batching operator: delivers values in pairs, and a last value without a partner alone.
///
/// Keeps all rules. A failure does not wait: it replaces the values that are still held.
struct PairBatches<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = [Int]
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == [Int], S.Failure == Failure {
    upstream.subscribe(Inner(subscriber))
  }

  private final class Inner<Downstream: Subscriber>: CleanMailbox<Downstream>, Subscriber
  where Downstream.Input == [Int] {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    private let halfLock = NSLock()
    private var half: Int?

    init(_ downstream: Downstream) {
      super.init(downstream, hasUpstream: true)
      asksPerDemand = 2
    }

    private func takeHalf() -> Int? {
      halfLock.lock()
      defer { halfLock.unlock() }
      defer { half = nil }
      return half
    }

    func receive(subscription: any Subscription) {
      attach(subscription)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      guard isOpen else { return .none }
      if let first = takeHalf() {
        put([first, input])
        kick()
      } else {
        halfLock.lock()
        half = input
        halfLock.unlock()
      }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard isOpen else { return }
      let rest = takeHalf()
      if case .finished = completion, let rest { put([rest]) }
      put(completion)
      kick()
    }
  }
}
