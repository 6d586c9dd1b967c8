// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-07 – the end is known by a page that is not full, and a page is only fetched when there is demand. Shows
// when the number of orders is a multiple of the page size (not with none at all: the first page is fetched at once)
// and the subscriber asks for exactly as many: `.finished` comes only with a further request.
struct OrderListing: Publisher {
  typealias Output = Int
  enum Failure: Error, Equatable { case unreachable }

  let pageSize: Int
  // The orders of a page, counted from 0; fewer than `pageSize` on the last one.
  let fetch: (_ page: Int) throws -> [Int]

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let listing = Listing(subscriber, pageSize, fetch)
    subscriber.receive(subscription: listing)
    listing.deliver()
  }

  private final class Listing<Downstream: Subscriber>: Subscription
  where Downstream.Input == Int, Downstream.Failure == OrderListing.Failure {
    private struct Live {
      let downstream: Downstream
      let fetch: (Int) throws -> [Int]
      var nextPage = 0
      var orders: ArraySlice<Int> = []
      var isLastPage = false
      var demand = Subscribers.Demand.none
    }
    private enum Step {
      case fetch((Int) throws -> [Int], page: Int)
      case order(Downstream, Int)
      case end(Live)
    }

    private let lock = NSLock()
    private let pageSize: Int
    private var live: Live?
    private var isDelivering = true  // the handshake counts as a delivery

    init(_ downstream: Downstream, _ pageSize: Int, _ fetch: @escaping (Int) throws -> [Int]) {
      self.pageSize = pageSize
      live = Live(downstream: downstream, fetch: fetch)
    }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock { () -> Bool in
        guard live != nil, more > 0 else { return false }
        live!.demand += more
        if isDelivering { return false }
        isDelivering = true
        return true
      }
      if isMine { deliver() }
    }

    func cancel() { _ = takeLive() }

    private func takeLive() -> Live? {
      lock.withLock {
        defer { live = nil }
        return live
      }
    }

    func deliver() {
      while let step = lock.withLock({ next() }) {
        switch step {
        case .fetch(let fetch, let page):
          do {
            let orders = try fetch(page)
            lock.withLock {
              live?.orders = orders[...]
              live?.isLastPage = orders.count < pageSize
            }
          } catch {
            takeLive()?.downstream.receive(completion: .failure(.unreachable))
          }
        case .order(let downstream, let order):
          let more = downstream.receive(order)
          lock.withLock { live?.demand += more }
        case .end(let live):
          live.downstream.receive(completion: .finished)
        }
      }
    }

    private func next() -> Step? {
      guard let live else {
        isDelivering = false
        return nil
      }
      if live.orders.isEmpty, live.isLastPage {
        self.live = nil
        return .end(live)
      }
      guard live.demand > 0 || live.nextPage == 0 else {
        isDelivering = false
        return nil
      }
      if live.orders.isEmpty {
        self.live!.nextPage += 1
        return .fetch(live.fetch, page: live.nextPage)
      }
      self.live!.demand -= 1
      return .order(live.downstream, self.live!.orders.removeFirst())
    }
  }
}
