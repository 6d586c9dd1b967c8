// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: pages are loaded once, and kept for all subscribers; each has a place of its own in them. A page is loaded
// when the previous one is used up, so that the end is known without a further request.
struct StockPages: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private let shelf: Shelf

  init(load: @escaping (_ page: Int) -> [Int]) { shelf = Shelf(load: load) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let walk = Walk(subscriber, shelf)
    subscriber.receive(subscription: walk)
    walk.deliver()
  }

  private final class Shelf {
    private let lock = NSLock()
    private let load: (Int) -> [Int]
    private var pages: [Int: [Int]] = [:]

    init(load: @escaping (Int) -> [Int]) { self.load = load }

    // An empty page is the end.
    func page(_ number: Int) -> [Int] {
      if let page = lock.withLock({ pages[number] }) { return page }
      let page = load(number)
      lock.withLock { pages[number] = page }
      return page
    }
  }

  private final class Walk<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let shelf: Shelf
    private let lock = NSLock()
    private var downstream: S?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // until the handshake is over

    // Used only by the thread that delivers.
    private var rows: [Int] = []
    private var (row, nextPage, isAtEnd) = (0, 0, false)

    init(_ downstream: S, _ shelf: Shelf) { (self.downstream, self.shelf) = (downstream, shelf) }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock {
        demand += more
        defer { isDelivering = true }
        return !isDelivering
      }
      if isMine { deliver() }
    }

    func cancel() {
      let old = lock.withLock {
        defer { downstream = nil }
        return downstream
      }
      withExtendedLifetime(old) {}
    }

    func deliver() {
      while true {
        if row == rows.count, !isAtEnd, lock.withLock({ downstream != nil }) {
          (rows, row) = (shelf.page(nextPage), 0)
          nextPage += 1
          isAtEnd = rows.isEmpty
        }
        lock.lock()
        guard let target = downstream, isAtEnd || demand > .none else {
          isDelivering = false
          return lock.unlock()
        }
        if isAtEnd { downstream = nil } else { demand -= 1 }
        lock.unlock()
        if isAtEnd { return target.receive(completion: .finished) }
        row += 1
        let more = target.receive(rows[row - 1])
        lock.withLock { demand += more }
      }
    }
  }
}
