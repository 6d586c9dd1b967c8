// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: a subscriber that adds up values until a goal is reached. Unusual: after the first `request` it asks for one
// value at a time, by the returned demand only, and cancels inside the delivery that reaches the goal; a goal that is
// reached from the start (0 or less) is answered with a cancel inside the handshake, without any request.
final class Tally<Failure: Error>: Subscriber, Cancellable {
  typealias Input = Int

  private let goal: Int
  private let lock = NSLock()
  private var subscription: (any Subscription)?
  private var hasStarted = false
  private var sum = 0
  private var end: Subscribers.Completion<Failure>?

  init(goal: Int) { self.goal = goal }

  var total: Int { lock.withLock { sum } }
  var completion: Subscribers.Completion<Failure>? { lock.withLock { end } }

  func receive(subscription new: any Subscription) {
    let isWanted = lock.withLock {
      guard !hasStarted else { return false }
      hasStarted = true
      guard sum < goal else { return false }
      subscription = new
      return true
    }
    isWanted ? new.request(.max(1)) : new.cancel()
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    let isEnough = lock.withLock { () -> Bool? in
      guard subscription != nil else { return nil }  // one in flight while it was cancelled
      sum &+= input
      return sum >= goal
    }
    guard let isEnough else { return .none }
    if isEnough { cancel() }
    return isEnough ? .none : .max(1)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let gone = lock.withLock { () -> (any Subscription)? in
      guard let ended = subscription else { return nil }
      (subscription, end) = (nil, completion)
      return ended
    }
    withExtendedLifetime(gone) {}
  }

  func cancel() {
    let gone = lock.withLock {
      defer { (subscription, hasStarted) = (nil, true) }
      return subscription
    }
    gone?.cancel()
  }
}
