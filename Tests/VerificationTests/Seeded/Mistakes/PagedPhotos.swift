// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A paging client: asks a server for pages of four photos and delivers them one by one.
///
/// Breaks P-07: takes only a short page for the last one, so after a full last page the end needs one more request.
struct PagedPhotos: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let client = Client(downstream: subscriber, count: count)
    subscriber.receive(subscription: client)
    client.drain()
  }

  private final class Client<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let count: Int
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var page: ArraySlice<Int> = []
    private var fetched = 0
    private var isLastPage = false
    // Busy from the start: nothing is delivered before the handshake has returned.
    private var isDraining = true

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      self.count = count
      fetchPage()
    }

    private func fetchPage() {
      let pageSize = 4
      page = ArraySlice(fetched..<Swift.min(fetched + pageSize, count))
      fetched += page.count
      isLastPage = page.count < pageSize
    }

    func drain() {
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if page.isEmpty, isLastPage {
          downstream = nil
          isDraining = false
          lock.unlock()
          target.receive(completion: .finished)
          return
        }
        guard demand > .none else { break }
        guard let photo = page.popFirst() else {
          fetchPage()
          lock.unlock()
          continue
        }
        demand -= 1
        lock.unlock()
        let more = target.receive(photo)
        lock.lock()
        demand += more
        lock.unlock()
      }
      isDraining = false
      lock.unlock()
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, downstream != nil else { return lock.unlock() }
      self.demand += demand
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      lock.unlock()
      drain()
    }

    func cancel() {
      lock.lock()
      let released = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) {}
    }
  }
}
