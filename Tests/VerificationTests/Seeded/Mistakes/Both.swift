// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-05 – `cancel()` takes "not both sides are live" for "it is over" and returns early, so the side that still
// runs is not cancelled (its values are swallowed, which hides it). Shows only when exactly one of the two upstreams
// has finished before the cancel; while both are live both are reached, and a failure cancels the other one.
struct Both<First: Publisher, Second: Publisher>: Publisher
where First.Output == Second.Output, First.Failure == Second.Failure {
  typealias Output = First.Output
  typealias Failure = First.Failure

  let first: First
  let second: Second

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let merging = Merging(subscriber)
    subscriber.receive(subscription: merging)
    merging.start(first, second)
  }

  private final class Merging<S: Subscriber>: Subscription where S.Input == First.Output, S.Failure == First.Failure {
    private let lock = NSLock()
    private var downstream: S?
    private var (first, second): ((any Subscription)?, (any Subscription)?)
    private var openSides = 2
    private var failure: First.Failure?
    private var queue: [(side: Side, value: First.Output)] = []
    private var demand = Subscribers.Demand.none
    private var isServing = true  // the handshake counts as a delivery

    init(_ downstream: S) { self.downstream = downstream }

    func start(_ a: First, _ b: Second) {
      guard lock.withLock({ downstream != nil }) else { return }
      a.subscribe(Side(self, \.first))
      b.subscribe(Side(self, \.second))
      while serveNext() {}
      let (first, second) = lock.withLock { (self.first, self.second) }
      first?.request(.max(1))
      second?.request(.max(1))
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { demand += more }
      serve()
    }

    func cancel() {
      _ = lock.withLock { () -> Any in
        defer { (downstream, queue) = (nil, []) }
        return (downstream, queue)
      }
      let (first, second) = lock.withLock { (self.first, self.second) }
      guard first != nil, second != nil else { return }  // it is over, or cancelled already
      cancelSides()
    }

    private func cancelSides() {
      let (first, second) = lock.withLock { () -> ((any Subscription)?, (any Subscription)?) in
        defer { (self.first, self.second) = (nil, nil) }
        return (self.first, self.second)
      }
      first?.cancel()
      second?.cancel()
    }

    private func serve() {
      let mayServe = lock.withLock {
        defer { isServing = true }
        return !isServing
      }
      if mayServe { while serveNext() {} }
    }

    private func serveNext() -> Bool {
      lock.lock()
      let isOver = failure != nil || (openSides == 0 && queue.isEmpty)
      guard let downstream, isOver || (demand > .none && !queue.isEmpty) else {
        isServing = false
        lock.unlock()
        return false
      }
      if isOver {
        let (end, dropped) = (failure.map(Subscribers.Completion.failure) ?? .finished, queue)
        (self.downstream, queue) = (nil, [])
        lock.unlock()
        cancelSides()
        withExtendedLifetime(dropped) { downstream.receive(completion: end) }
        return false
      }
      let (side, value) = queue.removeFirst()
      demand -= 1
      lock.unlock()
      let extra = downstream.receive(value)
      let link = lock.withLock {
        demand += extra
        return self[keyPath: side.link]
      }
      link?.request(.max(1))
      return true
    }

    private final class Side: Subscriber {
      typealias Input = First.Output
      typealias Failure = First.Failure
      let merging: Merging
      let link: ReferenceWritableKeyPath<Merging, (any Subscription)?>
      private var hasStarted = false

      init(_ merging: Merging, _ link: ReferenceWritableKeyPath<Merging, (any Subscription)?>) {
        (self.merging, self.link) = (merging, link)
      }

      func receive(subscription: any Subscription) {
        let isWanted = merging.lock.withLock {
          guard merging.downstream != nil, merging.failure == nil, !hasStarted else { return false }
          (hasStarted, merging[keyPath: link]) = (true, subscription)
          return true
        }
        if !isWanted { subscription.cancel() }
      }

      func receive(_ input: First.Output) -> Subscribers.Demand {
        merging.lock.withLock { if merging.downstream != nil { merging.queue.append((self, input)) } }
        merging.serve()
        return .none
      }

      func receive(completion: Subscribers.Completion<First.Failure>) {
        let ended = merging.lock.withLock { () -> (any Subscription)? in
          guard let ended = merging[keyPath: link] else { return nil }
          if case .failure(let error) = completion, merging.failure == nil { merging.failure = error }
          (merging.openSides, merging[keyPath: link]) = (merging.openSides - 1, nil)
          return ended
        }
        if ended != nil { merging.serve() }
      }
    }
  }
}
