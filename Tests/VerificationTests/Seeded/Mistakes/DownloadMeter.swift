// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: R-02 – a second subscription replaces the first, which is neither kept nor cancelled.
// All mutable state is guarded by the lock.
final class DownloadMeter: Subscriber, Cancellable, @unchecked Sendable {
  typealias Input = Int
  typealias Failure = Never
  private let lock = NSLock()
  private var source: (any Subscription)?
  private var done = false
  private var sum = 0
  var total: Int { lock.withLock { sum } }

  func receive(subscription: any Subscription) {
    lock.lock()
    guard !done else {
      lock.unlock()
      return subscription.cancel()
    }
    let old = source
    source = subscription
    lock.unlock()
    withExtendedLifetime(old) { subscription.request(.max(1)) }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    lock.withLock {
      guard !done else { return .none }
      sum &+= input
      return .max(1)
    }
  }

  func receive(completion: Subscribers.Completion<Never>) {
    withExtendedLifetime(close()) {}
  }

  func cancel() { close()?.cancel() }

  private func close() -> (any Subscription)? {
    lock.withLock {
      let old = source
      source = nil
      done = true
      return old
    }
  }
}
