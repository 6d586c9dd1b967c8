// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-07 – the last page is recognised by being shorter than a page, so when `total` is a positive multiple of
// `pageSize` the end is only found by asking for one more page. Shows with an exact demand of `total` values then:
// `.finished` waits for a further request. Any other total, and more demand than values, work.
struct PagedNumbers: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let total: Int
  var pageSize = 4

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let reading = Reading(source: self, subscriber: subscriber)
    subscriber.receive(subscription: reading)
    reading.serve()
  }

  private func page(from offset: Int) -> [Int] {
    Array(offset..<Swift.min(offset + pageSize, total))
  }

  private final class Reading<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let source: PagedNumbers
    private let lock = NSLock()
    private var subscriber: S?
    private var demand = Subscribers.Demand.none
    private var isServing = true  // the handshake counts as a delivery
    private var page: ArraySlice<Int> = []
    private var offset = 0
    private var isLastPage = false

    init(source: PagedNumbers, subscriber: S) {
      self.source = source
      self.subscriber = subscriber
      load()
    }

    func request(_ more: Subscribers.Demand) {
      let mayServe = lock.withLock {
        demand += more
        guard subscriber != nil, demand > .none, !isServing else { return false }
        isServing = true
        return true
      }
      if mayServe { serve() }
    }

    func cancel() {
      _ = lock.withLock {
        let gone = subscriber
        subscriber = nil
        return gone
      }
    }

    func serve() {
      while serveNext() {}
    }

    private func load() {
      let loaded = source.page(from: offset)
      page = loaded[...]
      offset += loaded.count
      isLastPage = loaded.count < source.pageSize
    }

    private func serveNext() -> Bool {
      lock.lock()
      guard let subscriber, demand > .none || (page.isEmpty && isLastPage) else {
        isServing = false
        lock.unlock()
        return false
      }
      if page.isEmpty, !isLastPage { load() }
      guard let value = page.popFirst() else {
        self.subscriber = nil
        lock.unlock()
        subscriber.receive(completion: .finished)
        return false
      }
      demand -= 1
      lock.unlock()
      let extra = subscriber.receive(value)
      lock.withLock { demand += extra }
      return true
    }
  }
}
