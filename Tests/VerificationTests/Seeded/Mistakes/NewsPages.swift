// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-09 – a page that fails is read while rows of the previous one still wait, and only the delivery that read
// it knows the failure: if that delivery has to stop for want of demand, the next one finishes instead of failing.
struct NewsPages<Failure: Error>: Publisher {
  typealias Output = Int

  // An empty page is the end.
  let load: (_ page: Int) -> Result<[Int], Failure>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let feed = NewsFeed(subscriber, load)
    subscriber.receive(subscription: feed)
    feed.deliver()
  }

  private final class NewsFeed<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Failure {
    private let lock = NSLock()
    private let load: (Int) -> Result<[Int], Failure>
    private var downstream: S?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // until the handshake is over

    // Used only by the thread that delivers.
    private var rows: ArraySlice<Int> = []
    private var page = 0
    private var isLoaded = false

    init(_ downstream: S, _ load: @escaping (Int) -> Result<[Int], Failure>) {
      (self.downstream, self.load) = (downstream, load)
    }

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
      var end = Subscribers.Completion<Failure>.finished
      while true {
        // Two rows before they are used up, the next ones are loaded.
        while rows.count <= 2, !isLoaded, lock.withLock({ downstream != nil }) {
          switch load(page) {
          case .success(let more):
            rows += more
            isLoaded = more.isEmpty
            page += 1
          case .failure(let error):
            end = .failure(error)
            isLoaded = true
          }
        }
        lock.lock()
        let isOver = rows.isEmpty && isLoaded
        guard let target = downstream, isOver || demand > .none else {
          isDelivering = false
          return lock.unlock()
        }
        if isOver { downstream = nil } else { demand -= 1 }
        lock.unlock()
        guard let row = rows.popFirst() else { return target.receive(completion: end) }
        let more = target.receive(row)
        lock.withLock { demand += more }
      }
    }
  }
}
