// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: R-01 – a subscriber that reads `limit` values in batches asks for the next batch before it checks whether it
// has enough. Shows at the last value when `limit` is a multiple of `batch`: `request(.none)`, then the cancel. With
// any other limit the last batch is a short one and every request is positive.
final class BatchReader: Subscriber, Cancellable {
  typealias Input = Int
  typealias Failure = Never

  private let (limit, batch): (Int, Int)
  private let lock = NSLock()
  private var subscription: (any Subscription)?
  private var hasStarted = false
  private var received: [Int] = []
  private var due = 0  // the number of values at which the next batch is asked for

  init(limit: Int, batch: Int) {
    precondition(limit > 0 && batch > 0)
    (self.limit, self.batch) = (limit, batch)
  }

  var values: [Int] { lock.withLock { received } }

  func receive(subscription new: any Subscription) {
    let isFirst = lock.withLock {
      guard !hasStarted else { return false }
      (hasStarted, subscription, due) = (true, new, min(batch, limit))
      return true
    }
    isFirst ? new.request(.max(min(batch, limit))) : new.cancel()
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    let next = lock.withLock { () -> (target: any Subscription, size: Int)? in
      guard let subscription, received.count < limit else { return nil }
      received.append(input)
      guard received.count == due else { return nil }
      let size = min(batch, limit - received.count)
      due += size
      return received.count % batch == 0 ? (subscription, size) : nil
    }
    if let next { next.target.request(.max(next.size)) }
    if lock.withLock({ received.count == limit }) { cancel() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { _ = take() }

  func cancel() { take()?.cancel() }

  private func take() -> (any Subscription)? {
    lock.withLock {
      defer { (subscription, hasStarted) = (nil, true) }
      return subscription
    }
  }
}
