// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Foundation

/// A subscriber of the app's own, which receives a few values at a time.
public final class Batches: Subscriber, Cancellable {
  public typealias Input = Int
  public typealias Failure = Never

  public private(set) var batches: [[Int]] = []
  private let size: Int
  private var current: [Int] = []
  private var subscription: (any Subscription)?

  public init(of size: Int) { self.size = size }

  public func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(size))
  }

  public func receive(_ input: Int) -> Subscribers.Demand {
    current.append(input)
    guard current.count == size else { return .none }
    batches.append(current)
    current = []
    return .max(size)
  }

  public func receive(completion: Subscribers.Completion<Never>) {
    if !current.isEmpty { batches.append(current) }
    subscription = nil
  }

  public func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}
