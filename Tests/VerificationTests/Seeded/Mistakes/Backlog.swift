// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: C-01 – a failure is handed on at once, past the delivering loop. Shows when a queued value is being delivered
// on one thread (from a `request` there) and the upstream fails on another: `receive(completion:)` runs while
// `receive(_:)` has not returned. `.finished` goes through the loop and is fine; so is a failure on the same thread.
struct Backlog<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  var size = 8

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber, size: size))
  }

  private final class Inner<S: Subscriber>: Subscriber, Subscription
  where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
    private let lock = NSLock()
    private let size: Int
    private var downstream: S?
    private var upstream: (any Subscription)?
    private var isUpstreamDone = false
    private var queue: [Upstream.Output] = []
    private var demand = Subscribers.Demand.none
    private var isServing = true  // the handshake counts as a delivery

    init(_ downstream: S, size: Int) { (self.downstream, self.size) = (downstream, size) }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> S? in
        guard let downstream, upstream == nil, !isUpstreamDone else { return nil }
        upstream = subscription
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      while serveNext() {}
      if lock.withLock({ downstream != nil }) { subscription.request(.max(size)) }
    }

    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      lock.withLock { if upstream != nil, queue.count < size { queue.append(input) } }
      serve()
      return .none
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      let ended = lock.withLock { () -> (any Subscription)? in
        defer { (upstream, isUpstreamDone) = (nil, true) }
        return upstream
      }
      guard ended != nil, case .failure = completion else { return serve() }
      take().downstream?.receive(completion: completion)  // an error waits neither for demand nor for queued values
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { demand += more }
      serve()
    }

    func cancel() { take().upstream?.cancel() }

    private func take() -> (downstream: S?, upstream: (any Subscription)?, queue: [Upstream.Output]) {
      lock.withLock {
        defer { (downstream, upstream, isUpstreamDone, queue) = (nil, nil, true, []) }
        return (downstream, upstream, queue)
      }
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
      let isOver = isUpstreamDone && queue.isEmpty
      guard let downstream, isOver || (demand > .none && !queue.isEmpty) else {
        isServing = false
        lock.unlock()
        return false
      }
      if isOver {
        self.downstream = nil
        lock.unlock()
        downstream.receive(completion: .finished)
        return false
      }
      let value = queue.removeFirst()
      demand -= 1
      lock.unlock()
      let extra = downstream.receive(value)
      let link = lock.withLock {
        demand += extra
        return upstream
      }
      link?.request(.max(1))
      return true
    }
  }
}
