// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: C-05 – the `combine` closure is called with the lock held. The lock is recursive, so nothing happens on one
// thread. Shows when, while the closure runs, another thread calls `request` or `cancel` (or one of the two sources
// sends a value or its end): that call hangs until the closure returns. Downstream is called without the lock.
struct FormState<First: Publisher, Second: Publisher, Output>: Publisher where First.Failure == Second.Failure {
  typealias Failure = First.Failure

  let first: First, second: Second
  let combine: (First.Output, Second.Output) -> Output

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let form = Form(subscriber, combine)
    subscriber.receive(subscription: form)
    form.deliver()
    if form.isLive { first.subscribe(form.side(0) { $0.first = $1 }) }
    if form.isLive { second.subscribe(form.side(1) { $0.second = $1 }) }
  }

  private final class Form<Downstream: Subscriber>: Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    fileprivate struct Live {
      let downstream: Downstream
      let combine: (First.Output, Second.Output) -> Output
      var first: First.Output?, second: Second.Output?
      var upstreams: [(any Subscription)?] = [nil, nil]
      var isFresh = false, hasEnded = [false, false]
      var failure: Failure?
      var demand = Subscribers.Demand.none
    }
    private enum Step { case state(Downstream, Output), end(Live), cancelled(Live) }

    private let lock = NSRecursiveLock()
    private var live: Live?
    private var isDelivering = true  // the handshake counts as a delivery

    init(_ downstream: Downstream, _ combine: @escaping (First.Output, Second.Output) -> Output) {
      live = Live(downstream: downstream, combine: combine)
    }

    var isLive: Bool { lock.withLock { live != nil } }

    func side<Value>(_ side: Int, _ set: @escaping (inout Live, Value) -> Void) -> AnySubscriber<Value, Failure> {
      AnySubscriber(
        receiveSubscription: { subscription in
          var isWanted = false
          self.update {
            isWanted = $0.upstreams[side] == nil && !$0.hasEnded[side]
            if isWanted { $0.upstreams[side] = subscription }
          }
          if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
        },
        receiveValue: { value in
          self.update(side) {
            set(&$0, value)
            $0.isFresh = $0.first != nil && $0.second != nil
          }
          return .none
        },
        receiveCompletion: { completion in
          self.update(side) {
            $0.upstreams[side] = nil
            $0.hasEnded[side] = true
            if case .failure(let error) = completion { $0.failure = error }
          }
        })
    }

    private func update(_ side: Int? = nil, _ change: (inout Live) -> Void) {
      let (isMine, _) = lock.withLock { () -> (Bool, Live?) in
        guard let old = live, side.map({ old.upstreams[$0] != nil }) ?? true else { return (false, nil) }
        change(&live!)
        defer { isDelivering = true }
        return (!isDelivering, old)
      }
      if isMine { deliver() }
    }

    func request(_ more: Subscribers.Demand) {
      if more > 0 { update { $0.demand += more } }
    }

    func cancel() {
      var dropped: Live?
      lock.withLock { swap(&dropped, &live) }
      dropped?.upstreams.forEach { $0?.cancel() }
    }

    func deliver() {
      while let step = lock.withLock({ next() }) {
        switch step {
        case .state(let downstream, let state):
          let more = downstream.receive(state)
          lock.withLock { live?.demand += more }
        case .end(let live):
          live.upstreams.forEach { $0?.cancel() }
          live.downstream.receive(completion: live.failure.map { .failure($0) } ?? .finished)
        case .cancelled: break  // within the closure; released here, without the lock
        }
      }
    }

    private func next() -> Step? {
      if let live, live.failure != nil || (!live.isFresh && live.hasEnded == [true, true]) {
        self.live = nil
        return .end(live)
      }
      guard let live, live.isFresh, live.demand > 0, let first = live.first, let second = live.second else {
        isDelivering = false
        return nil
      }
      self.live!.isFresh = false
      self.live!.demand -= 1
      let state = live.combine(first, second)
      return self.live == nil ? .cancelled(live) : .state(live.downstream, state)
    }
  }
}
