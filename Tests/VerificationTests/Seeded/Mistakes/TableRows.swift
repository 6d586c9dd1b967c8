// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: S-11 – a cancel that comes while rows are being delivered leaves closing the cursor to the delivering loop,
// but the loop looks at the demand first. Shows when `cancel()` is called inside (or during) the delivery of a value
// that uses up the demand and is not the last row: the cursor is never closed. With demand left, or idle, it is closed.
struct TableRows: Publisher {
  typealias Output = Int
  typealias Failure = Never

  struct Cursor {
    let next: () -> Int?
    let close: () -> Void
  }

  let open: () -> Cursor

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let reading = Reading(subscriber)
    subscriber.receive(subscription: reading)
    reading.begin(open)
  }

  private final class Reading<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private var subscriber: S?
    private var cursor: Cursor?
    private var row: Int?  // read ahead by one, so that the end needs no demand
    private var demand = Subscribers.Demand.none
    private var isReading = true

    init(_ subscriber: S) {
      self.subscriber = subscriber
    }

    func begin(_ open: () -> Cursor) {
      guard lock.withLock({ subscriber != nil }) else { return }
      let opened = open()
      let first = opened.next()
      lock.withLock { (cursor, row) = (opened, first) }
      while readNext() {}
    }

    func request(_ more: Subscribers.Demand) {
      let mayRead = lock.withLock {
        demand += more
        guard subscriber != nil, demand > .none, !isReading else { return false }
        isReading = true
        return true
      }
      if mayRead { while readNext() {} }
    }

    func cancel() {
      let (_, idle) = lock.withLock { () -> (S?, Cursor?) in
        let gone = subscriber
        subscriber = nil
        return (gone, isReading ? nil : takeCursor())  // never close it under a reader: the loop does it on its way out
      }
      idle?.close()
    }

    private func takeCursor() -> Cursor? {
      let taken = cursor
      cursor = nil
      return taken
    }

    private func readNext() -> Bool {
      lock.lock()
      if row != nil, demand == .none {
        isReading = false
        lock.unlock()
        return false
      }
      guard let subscriber, let value = row, let cursor else {
        let (last, open) = (self.subscriber, takeCursor())
        self.subscriber = nil
        lock.unlock()
        open?.close()
        last?.receive(completion: .finished)
        return false
      }
      demand -= 1
      lock.unlock()
      let following = cursor.next()
      lock.withLock { row = following }
      let extra = subscriber.receive(value)
      lock.withLock { demand += extra }
      return true
    }
  }
}
