// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-10 – the rows are taken out of the pages that all copies of the publisher keep: a second subscriber at the
// same time, or one after a cancel, misses the rows that the first has had. After an end the pages are loaded again.
struct ProductPages: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private let cache: PageCache

  init(load: @escaping (_ page: Int) -> [Int]) { cache = PageCache(load) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let listing = ProductListing(subscriber, cache)
    subscriber.receive(subscription: listing)
    listing.drain()
  }

  // A page that is being read.
  private final class Page {
    private let lock = NSLock()
    private var rows: ArraySlice<Int>

    init(_ rows: [Int]) { self.rows = rows[...] }

    var isUsedUp: Bool { lock.withLock { rows.isEmpty } }
    func take() -> Int? { lock.withLock { rows.popFirst() } }
  }

  private final class PageCache {
    private let lock = NSLock()
    private let load: (Int) -> [Int]
    private var pages: [Int: Page] = [:]

    init(_ load: @escaping (Int) -> [Int]) { self.load = load }

    // A missing page is the end.
    func page(_ number: Int) -> Page? {
      if let page = lock.withLock({ pages[number] }) { return page }
      let rows = load(number)
      guard !rows.isEmpty else { return nil }
      let page = Page(rows)
      lock.withLock { pages[number] = page }
      return page
    }

    // A subscriber that comes after the end sees fresh prices.
    func forget() { lock.withLock { pages = [:] } }
  }

  private final class ProductListing<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let cache: PageCache
    private let lock = NSLock()
    private var subscriber: S?
    private var wanted = Subscribers.Demand.none
    private var isBusy = true  // until the handshake is over

    // Used only by the thread that drains.
    private var page: Page?
    private var number = 0
    private var isOver = false

    init(_ subscriber: S, _ cache: PageCache) { (self.subscriber, self.cache) = (subscriber, cache) }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      wanted += demand
      let isMine = !isBusy
      isBusy = true
      lock.unlock()
      if isMine { drain() }
    }

    func cancel() {
      lock.lock()
      let old = subscriber
      subscriber = nil
      lock.unlock()
      withExtendedLifetime(old) {}
    }

    func drain() {
      while true {
        while !isOver, page?.isUsedUp ?? true, lock.withLock({ subscriber != nil }) {
          page = cache.page(number)
          number += 1
          isOver = page == nil
        }
        lock.lock()
        guard let target = subscriber, isOver || wanted > .none else {
          isBusy = false
          return lock.unlock()
        }
        if isOver { subscriber = nil }
        lock.unlock()
        if isOver {
          cache.forget()
          return target.receive(completion: .finished)
        }
        guard let value = page?.take() else { continue }
        lock.withLock { wanted -= 1 }
        let more = target.receive(value)
        lock.withLock { wanted += more }
      }
    }
  }
}
