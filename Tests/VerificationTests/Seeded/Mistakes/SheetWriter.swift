// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: R-06 – a cancel removes the sheet, and a value that is under way then traps if it is the third, which fills a
// sheet; any other value is ignored.
final class SheetWriter<Failure: Error>: Subscriber, Cancellable {
  typealias Input = Int

  private struct Sheet { var lines: [Int] = [] }

  private let lock = NSLock()
  private let save: ([Int]) -> Void
  private var subscription: (any Subscription)?
  private var isOver = false
  private var sheet: Sheet?
  private var lines = 0

  // Asks for a sheet of three lines at a time.
  init(save: @escaping ([Int]) -> Void) { self.save = save }

  func receive(subscription new: any Subscription) {
    lock.lock()
    guard subscription == nil, !isOver else {
      lock.unlock()
      return new.cancel()
    }
    (subscription, sheet) = (new, Sheet())
    lock.unlock()
    new.request(.max(3))
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    lock.lock()
    lines += 1
    sheet?.lines.append(input)
    guard lines.isMultiple(of: 3) else {
      lock.unlock()
      return .none
    }
    let full = sheet!.lines
    sheet = Sheet()
    lock.unlock()
    save(full)
    return lock.withLock { isOver } ? .none : .max(3)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    lock.lock()
    let (old, rest) = (subscription, sheet?.lines ?? [])
    (subscription, sheet, isOver) = (nil, nil, true)
    lock.unlock()
    withExtendedLifetime(old) { if !rest.isEmpty { save(rest) } }
  }

  func cancel() {
    lock.lock()
    let old = subscription
    (subscription, sheet, isOver) = (nil, nil, true)
    lock.unlock()
    old?.cancel()
  }
}
