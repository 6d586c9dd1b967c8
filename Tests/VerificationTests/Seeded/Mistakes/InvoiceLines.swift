// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-03 – demand that comes during a delivery is counted twice if a page, of eight lines, is used up before the
// demand is: when the page is turned, that demand is added, but not taken from `late`.
struct InvoiceLines: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let reader = LineReader(subscriber, count)
    subscriber.receive(subscription: reader)
    reader.open()
  }

  private final class LineReader<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private let count: Int
    private let pageSize = 8
    private var downstream: S?
    private var demand = Subscribers.Demand.none
    private var late = Subscribers.Demand.none  // came during a delivery
    private var isReading = true  // until the handshake is over

    // Used only by the thread that reads.
    private var page: ArraySlice<Int> = []
    private var loaded = 0

    init(_ downstream: S, _ count: Int) { (self.downstream, self.count) = (downstream, count) }

    func request(_ more: Subscribers.Demand) {
      lock.lock()
      guard !isReading else {
        late += more
        return lock.unlock()
      }
      isReading = true
      demand += more
      lock.unlock()
      readOn()
    }

    func open() {
      lock.withLock { (demand, late) = (late, .none) }
      readOn()
    }

    func cancel() {
      lock.lock()
      let old = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(old) {}
    }

    private func readOn() {
      while true {
        if page.isEmpty, loaded < count { turnPage() }
        lock.lock()
        if demand == .none { (demand, late) = (late, .none) }
        guard let target = downstream, page.isEmpty || demand > .none else {
          isReading = false
          return lock.unlock()
        }
        let line = page.popFirst()
        if line == nil { downstream = nil } else { demand -= 1 }
        lock.unlock()
        guard let line else { return target.receive(completion: .finished) }
        let more = target.receive(line)
        lock.withLock { demand += more }
      }
    }

    private func turnPage() {
      // The next page also serves demand that has come in the meantime.
      lock.withLock { demand += late }
      let end = Swift.min(loaded + pageSize, count)
      page = Array(loaded..<end)[...]
      loaded = end
    }
  }
}
