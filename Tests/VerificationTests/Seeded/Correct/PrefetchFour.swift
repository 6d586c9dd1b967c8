// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

/// A read-ahead buffer: keeps up to four values in stock, so that upstream works before it is asked.
///
/// Keeps all rules. A failure does not wait for the stock, which is then dropped.
struct PrefetchFour<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber))
  }

  private final class Inner<Downstream: Subscriber>: CleanMailbox<Downstream>, Subscriber
  where Downstream.Input == Int {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    init(_ downstream: Downstream) {
      super.init(downstream, hasUpstream: true, asksFirst: 4)
      asksPerValue = 1
    }

    func receive(subscription: any Subscription) {
      attach(subscription)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      put(input)
      kick()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      put(completion)
      kick()
    }
  }
}
