// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A read-ahead buffer: keeps up to four values in stock, so that upstream works before it is asked.
///
/// Breaks C-01: an end that finds the stock empty is passed on at once, even while the last value is being delivered.
/// A failure does not wait for the stock, which is then dropped.
struct ReadAhead<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(downstream: subscriber))
  }

  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription where Downstream.Input == Int {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    private let lock = NSLock()
    private var downstream: Downstream?
    private var source: (any Subscription)?
    private var stock: [Int] = []
    private var demand = Subscribers.Demand.none
    private var isStarted = false
    private var isEnding = false
    private var isDraining = true

    init(downstream: Downstream) {
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard !isStarted, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      isStarted = true
      source = subscription
      lock.unlock()
      target.receive(subscription: self)
      drain()
      lock.lock()
      let asked = source
      lock.unlock()
      asked?.request(.max(4))
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      lock.lock()
      guard source != nil else {
        lock.unlock()
        return .none
      }
      stock.append(input)
      lock.unlock()
      kick()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock.lock()
      guard let old = source, let target = downstream else { return lock.unlock() }
      source = nil
      if case .failure = completion { stock = [] }
      let isLast = stock.isEmpty
      isEnding = !isLast
      if isLast { downstream = nil }
      lock.unlock()
      withExtendedLifetime(old) {
        if isLast { target.receive(completion: completion) }
      }
    }

    private func kick() {
      lock.lock()
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      lock.unlock()
      drain()
    }

    private func drain() {
      var sold = 0
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if stock.isEmpty, isEnding {
          downstream = nil
          isDraining = false
          lock.unlock()
          return target.receive(completion: .finished)
        }
        guard demand > .none, !stock.isEmpty else { break }
        demand -= 1
        sold += 1
        let value = stock.removeFirst()
        lock.unlock()
        let more = target.receive(value)
        lock.lock()
        demand += more
        lock.unlock()
      }
      isDraining = false
      let asked = source
      lock.unlock()
      if sold > 0 { asked?.request(.max(sold)) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      if demand > .none { self.demand += demand }
      lock.unlock()
      kick()
    }

    func cancel() {
      lock.lock()
      let released = downstream
      let old = source
      downstream = nil
      source = nil
      stock = []
      lock.unlock()
      withExtendedLifetime(released) { old?.cancel() }
    }
  }
}
