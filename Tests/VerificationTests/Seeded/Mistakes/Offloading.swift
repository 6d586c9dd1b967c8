// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore

// Breaks: C-01 – if more than eight values wait, a thread delivers them, so that a request returns soon; the thread
// does not keep the sender of a value that arrives meanwhile from delivering that value itself.
struct Offloading<Upstream: Publisher>: Publisher where Upstream.Output: Sendable {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let underWay = DispatchGroup()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Porter(subscriber, underWay))
  }

  // All mutable state is guarded by the lock.
  private final class Porter<Downstream: Subscriber>: Subscriber, Subscription, @unchecked Sendable
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Output

    private let lock = NSLock()
    private let underWay: DispatchGroup
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var hasStarted = false
    private var waiting: [Input] = []
    private var end: Subscribers.Completion<Upstream.Failure>?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // until the handshake is over
    private var hasHelper = false

    init(_ downstream: Downstream, _ underWay: DispatchGroup) {
      (self.downstream, self.underWay) = (downstream, underWay)
    }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> Downstream? in
        guard !hasStarted else { return nil }
        (hasStarted, upstream) = (true, subscription)
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      lock.withLock { isDelivering = false }
      deliver()
      lock.withLock { upstream }?.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.withLock { if upstream != nil { waiting.append(input) } }
      deliver()
      return .none
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      var dropped: [Input] = []
      lock.lock()
      guard let old = upstream else { return lock.unlock() }
      (upstream, end) = (nil, completion)
      if case .failure = completion { (dropped, waiting) = (waiting, []) }
      lock.unlock()
      withExtendedLifetime((old, dropped)) { deliver() }
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { demand += more }
      deliver()
    }

    func cancel() {
      let old = lock.withLock {
        defer { (downstream, upstream, waiting) = (nil, nil, []) }
        return (downstream, upstream, waiting)
      }
      old.1?.cancel()
    }

    private func deliver() {
      lock.lock()
      guard !isDelivering else { return lock.unlock() }
      guard waiting.count > 8, demand > 8 else {
        isDelivering = true
        lock.unlock()
        return deliverAll { self.isDelivering = false }
      }
      guard !hasHelper else { return lock.unlock() }
      hasHelper = true
      lock.unlock()
      underWay.enter()
      nonisolated(unsafe) let help = { self.help() }
      Thread.detachNewThread { [underWay] in
        help()
        underWay.leave()
      }
    }

    private func help() { deliverAll { self.hasHelper = false } }

    private func deliverAll(stop: () -> Void) {
      while let (target, value) = lock.withLock({ next(stop) }) {
        guard let value else { return target.receive(completion: end ?? .finished) }
        let more = target.receive(value)
        lock.withLock { demand += more }
      }
    }

    // A value, or nil for the end.
    private func next(_ stop: () -> Void) -> (Downstream, Input?)? {
      guard let target = downstream, waiting.isEmpty ? end != nil : demand > .none else {
        stop()
        return nil
      }
      guard !waiting.isEmpty else {
        downstream = nil
        return (target, nil)
      }
      demand -= 1
      return (target, waiting.removeFirst())
    }
  }
}
