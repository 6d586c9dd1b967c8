// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

/// A subject that counts its subscriptions and cancels.
final class CountedSource<Output, Failure: Error>: Publisher, @unchecked Sendable {
  let subject = PassthroughSubject<Output, Failure>()
  let subscribed = Locked(0)
  let cancelled = Locked(0)

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscribed.change { $0 += 1 }
    subject.handleEvents(receiveCancel: { self.cancelled.change { $0 += 1 } }).subscribe(subscriber)
  }
}

/// Keeps the lines that are printed to it.
final class Paper: TextOutputStream {
  private(set) var lines: [String] = []

  func write(_ string: String) {
    if !string.isEmpty, string != "\n" { lines.append(string) }
  }
}

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
