// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: R-01 – after each saved batch it asks for the next one, even when nothing is left to ask for. Shows when the
// limit is reached: `request(.none)`, right before the `cancel` that follows. Never, if the stream ends before that.
final class StoreWriter<Failure: Error>: Subscriber, Cancellable {
  typealias Input = Int

  // The values that have been saved, batch by batch.
  final class Store {
    private let lock = NSLock()
    private var contents: [[Int]] = []
    var batches: [[Int]] { lock.withLock { contents } }
    func save(_ batch: [Int]) { lock.withLock { contents.append(batch) } }
  }

  private let store: Store
  private let batchSize: Int
  private let lock = NSLock()
  private var subscription: (any Subscription)?
  private var isOver = false
  private var batch: [Int] = []
  private var left: Int

  init(store: Store, batchSize: Int, limit: Int) {
    precondition(batchSize > 0 && limit > 0)
    self.store = store
    self.batchSize = batchSize
    left = limit
  }

  func receive(subscription: any Subscription) {
    let isFirst = lock.withLock { () -> Bool in
      guard self.subscription == nil, !isOver else { return false }
      self.subscription = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    subscription.request(.max(min(batchSize, left)))
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    let full = lock.withLock { () -> (any Subscription, [Int], left: Int)? in
      guard let subscription, left > 0 else { return nil }
      batch.append(input)
      guard batch.count == min(batchSize, left) else { return nil }
      left -= batch.count
      defer { batch = [] }
      return (subscription, batch, left)
    }
    guard let (subscription, values, left) = full else { return .none }
    store.save(values)
    subscription.request(.max(min(batchSize, left)))
    if left == 0 { cancel() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let (_, rest) = end()
    if !rest.isEmpty { store.save(rest) }
  }

  // Values that are not saved yet are dropped.
  func cancel() { end().0?.cancel() }

  private func end() -> ((any Subscription)?, [Int]) {
    lock.withLock {
      defer { (subscription, isOver, batch) = (nil, true, []) }
      return (subscription, batch)
    }
  }
}
