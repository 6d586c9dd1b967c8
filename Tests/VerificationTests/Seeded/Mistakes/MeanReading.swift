// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: R-03 – the mean is the sum divided by the number of values, even when there was none. It shows when .finished
// comes without a value: division by zero, a trap inside receive(completion:). @unchecked Sendable: the lock guards all
// mutable state.
final class MeanReading<Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  typealias Input = Int

  private let lock = NSLock()
  private var subscription: (any Subscription)?
  private var report: ((Result<Int, Failure>) -> Void)?
  private var sum = 0
  private var count = 0

  init(report: @escaping (Result<Int, Failure>) -> Void) {
    self.report = report
  }

  func receive(subscription: any Subscription) {
    let accepted = lock.withLock { () -> Bool in
      guard self.subscription == nil, report != nil else { return false }
      self.subscription = subscription
      return true
    }
    if accepted { subscription.request(.max(1)) } else { subscription.cancel() }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    lock.withLock {
      guard subscription != nil else { return .none }
      sum += input
      count += 1
      return .max(1)
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let taken = takeBoth()
    guard taken.subscription != nil, let report = taken.report else { return }
    switch completion {
    case .finished:
      let (sum, count) = lock.withLock { (self.sum, self.count) }
      report(.success(sum / count))
    case .failure(let error):
      report(.failure(error))
    }
  }

  func cancel() {
    takeBoth().subscription?.cancel()
  }

  private func takeBoth() -> (subscription: (any Subscription)?, report: ((Result<Int, Failure>) -> Void)?) {
    lock.withLock {
      defer {
        subscription = nil
        report = nil
      }
      return (subscription, report)
    }
  }
}
