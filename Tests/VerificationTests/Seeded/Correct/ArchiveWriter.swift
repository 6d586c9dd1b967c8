// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: requests only by the demand that it returns from `receive(_:)` (after the first request), a batch at a time.
// Unsaved values are saved at the end, and dropped at a failure or a cancel. `save` is called without a lock, and may
// cancel.
final class ArchiveWriter<Input, Failure: Error>: Subscriber, Cancellable {
  private enum State {
    case awaiting(save: ([Input]) -> Void)
    case running(any Subscription, save: ([Input]) -> Void)
    case over
  }

  private let lock = NSLock()
  private let batchSize: Int
  private var state: State
  private var left: Int
  private var batch: [Input] = []

  // Takes `limit` values and then cancels.
  init(batchSize: Int, limit: Int, save: @escaping ([Input]) -> Void) {
    precondition(batchSize > 0 && limit > 0)
    self.batchSize = batchSize
    left = limit
    state = .awaiting(save: save)
  }

  func receive(subscription: any Subscription) {
    let first = lock.withLock { () -> Int? in
      guard case .awaiting(let save) = state else { return nil }
      state = .running(subscription, save: save)
      return min(batchSize, left)
    }
    if let first { subscription.request(.max(first)) } else { subscription.cancel() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    typealias Full = (save: ([Input]) -> Void, values: [Input], left: Int)
    let full = lock.withLock { () -> Full? in
      guard case .running(_, let save) = state, left > 0 else { return nil }
      batch.append(input)
      guard batch.count == min(batchSize, left) else { return nil }
      left -= batch.count
      defer { batch = [] }
      return (save, batch, left)
    }
    guard let full else { return .none }
    full.save(full.values)
    if full.left == 0 { cancel() }
    return lock.withLock { if case .running = state { .max(min(batchSize, full.left)) } else { .none } }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let (state, rest) = end()
    if case .running(_, let save) = state, case .finished = completion, !rest.isEmpty { save(rest) }
  }

  // Also before there is a subscription: the one that comes is cancelled.
  func cancel() {
    if case .running(let subscription, _) = end().0 { subscription.cancel() }
  }

  private func end() -> (State, [Input]) {
    lock.withLock {
      defer { (state, batch) = (.over, []) }
      return (state, batch)
    }
  }
}
