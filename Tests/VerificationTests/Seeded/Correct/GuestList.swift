// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: takes up to `seats` guests, and asks for a table of three at a time, the last of which may be smaller; then
// it cancels. A guest that was under way when it cancelled is turned away.
final class GuestList<Failure: Error>: Subscriber, Cancellable {
  typealias Input = Int

  private let lock = NSLock()
  private let seats: Int
  private var subscription: (any Subscription)?
  private var isOver = false
  private var guests: [Int] = []
  private var awaited = 0

  init(seats: Int) { self.seats = seats }

  var names: [Int] { lock.withLock { guests } }

  func receive(subscription new: any Subscription) {
    let table = lock.withLock { () -> Int? in
      guard subscription == nil, !isOver, seats > 0 else { return nil }
      subscription = new
      return nextTable()
    }
    guard let table else { return new.cancel() }
    new.request(.max(table))
  }

  // Under the lock.
  private func nextTable() -> Int {
    awaited = min(3, seats - guests.count)
    return awaited
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    let (isFull, table) = lock.withLock { () -> (Bool, Int) in
      guard subscription != nil, guests.count < seats else { return (false, 0) }
      guests.append(input)
      awaited -= 1
      guard guests.count < seats else { return (true, 0) }
      return (false, awaited == 0 ? nextTable() : 0)
    }
    if isFull { cancel() }
    return .max(table)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let old = lock.withLock {
      defer { (subscription, isOver) = (nil, true) }
      return subscription
    }
    withExtendedLifetime(old) {}
  }

  func cancel() {
    let old = lock.withLock {
      defer { (subscription, isOver) = (nil, true) }
      return subscription
    }
    old?.cancel()
  }
}
