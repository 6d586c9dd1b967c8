// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

/// Delivers 1, 2 and 3 to a subscriber with unlimited demand, and never ends.
struct OneTwoThree: Publisher {
  typealias Output = Int
  typealias Failure = Never

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let isCancelled = Locked(false)
    let subscription = ManualSubscription()
    subscription.onCancel = { isCancelled.change { $0 = true } }
    subscription.onRequest = { _ in
      for value in 1...3 where !isCancelled.value { _ = subscriber.receive(value) }
    }
    subscriber.receive(subscription: subscription)
  }
}
