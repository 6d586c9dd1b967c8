// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: S-08 – unlimited becomes finite, by the returned demand only: after `request(.unlimited)` a `receive(_:)`
// that returns a positive finite demand replaces "no limit" by that number. Shows when one value is answered with
// `.max(n)` and the later ones with `.none`: the stream stalls after n more. A later `request(.max(n))` is harmless.
struct NumbersFrom: Publisher {
  typealias Output = Int
  typealias Failure = Never

  var start = 0
  var count: Int?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let run = Run(next: start, end: count.map { start + $0 }, subscriber: subscriber)
    subscriber.receive(subscription: run)
    run.serve()
  }

  private final class Run<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private var subscriber: S?
    private var next: Int
    private let end: Int?
    private var remaining: Int? = 0  // nil: without limit
    private var isServing = true  // the handshake counts as a delivery

    init(next: Int, end: Int?, subscriber: S) {
      self.next = next
      self.end = end
      self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
      let mayServe = lock.withLock {
        guard subscriber != nil, demand > .none else { return false }
        remaining = remaining.flatMap { left in demand.max.flatMap { Self.sum(left, $0) } }
        guard !isServing else { return false }
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

    private static func sum(_ a: Int, _ b: Int) -> Int? {
      let (sum, isTooLarge) = a.addingReportingOverflow(b)
      return isTooLarge ? nil : sum
    }

    private func serveNext() -> Bool {
      lock.lock()
      guard let subscriber, next == end || remaining != 0 else {
        isServing = false
        lock.unlock()
        return false
      }
      if next == end {
        self.subscriber = nil
        lock.unlock()
        subscriber.receive(completion: .finished)
        return false
      }
      let value = next
      next += 1
      if let left = remaining { remaining = left - 1 }
      lock.unlock()
      let extra = subscriber.receive(value)
      lock.withLock {
        guard let more = extra.max else { return remaining = nil }
        if more > 0 { remaining = Self.sum(remaining ?? 0, more) }
      }
      return true
    }
  }
}
