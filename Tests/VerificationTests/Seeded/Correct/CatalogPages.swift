// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: the page after the current one is fetched as soon as the current one is used up, without demand, so that the
// end (or a failure) never waits for a request; at most one page is held. Pages may be empty, also the last. A request
// made in the handshake is answered when the handshake is over.
struct CatalogPages<Item, Failure: Error>: Publisher {
  typealias Output = Item
  typealias Page = (items: [Item], isLast: Bool)

  // Page by page, from 0; called on the thread that asks, once for each page of each subscriber.
  let fetch: (_ page: Int) -> Result<Page, Failure>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Item, S.Failure == Failure {
    let browser = Browser(subscriber, fetch)
    subscriber.receive(subscription: browser)
    browser.turnPages()
  }

  private final class Browser<Downstream: Subscriber>: Subscription
  where Downstream.Input == Item, Downstream.Failure == Failure {
    private struct Open {
      let downstream: Downstream
      let fetch: (Int) -> Result<Page, Failure>
      var nextPage = 0
      var isLastPage = false
      var reversed: [Item] = []
      var demand = Subscribers.Demand.none
    }
    private enum Step {
      case fetch((Int) -> Result<Page, Failure>, Int)
      case item(Downstream, Item)
      case end(Open)
    }

    private let lock = NSLock()
    private var open: Open?
    private var isTurning = true

    init(_ downstream: Downstream, _ fetch: @escaping (Int) -> Result<Page, Failure>) {
      open = Open(downstream: downstream, fetch: fetch)
    }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock { () -> Bool in
        guard open != nil, more > 0 else { return false }
        open!.demand += more
        defer { isTurning = true }
        return !isTurning
      }
      if isMine { turnPages() }
    }

    func cancel() { _ = close() }

    private func close() -> Open? {
      var closed: Open?
      lock.withLock { swap(&closed, &open) }
      return closed
    }

    func turnPages() {
      while let step = lock.withLock({ next() }) {
        switch step {
        case .fetch(let fetch, let number):
          switch fetch(number) {
          case .success(let page):
            lock.withLock {
              open?.reversed = page.items.reversed()
              open?.isLastPage = page.isLast
            }
          case .failure(let error):
            close()?.downstream.receive(completion: .failure(error))
          }
        case .item(let downstream, let item):
          let more = downstream.receive(item)
          lock.withLock { open?.demand += more }
        case .end(let closed):
          closed.downstream.receive(completion: .finished)
        }
      }
    }

    private func next() -> Step? {
      if let open, open.reversed.isEmpty {
        if open.isLastPage { self.open = nil } else { self.open!.nextPage += 1 }
        return open.isLastPage ? .end(open) : .fetch(open.fetch, open.nextPage)
      }
      guard let downstream = open?.downstream, open!.demand > 0 else {
        isTurning = false
        return nil
      }
      open!.demand -= 1
      return .item(downstream, open!.reversed.removeLast())
    }
  }
}
