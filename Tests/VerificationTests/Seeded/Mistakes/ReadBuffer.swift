// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-05 – a ring of eight slots counts as full when seven are: if eight values have come before any of them is
// requested, as its prefetch has asked for, the last is dropped.
struct ReadBuffer<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Buffer(subscriber))
  }

  private final class Buffer<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Output
    private enum Step { case value(Downstream, Input), end(Downstream, Subscribers.Completion<Upstream.Failure>) }

    private let lock = NSLock()
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var hasStarted = false
    private var slots = [Input?](repeating: nil, count: 8)
    private var (head, tail) = (0, 0)
    private var completion: Subscribers.Completion<Upstream.Failure>?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // until the handshake is over

    init(_ downstream: Downstream) { self.downstream = downstream }

    private func after(_ place: Int) -> Int { (place + 1) % 8 }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> Downstream? in
        guard !hasStarted else { return nil }
        (hasStarted, upstream) = (true, subscription)
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      deliver()
      lock.withLock { upstream }?.request(.max(8))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.lock()
      // No more comes than was asked for; if more comes all the same, it must not overwrite the rest.
      guard upstream != nil, after(tail) != head else {
        lock.unlock()
        return .none
      }
      slots[tail] = input
      tail = after(tail)
      let isMine = claim()
      lock.unlock()
      if isMine { deliver() }
      return .none
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      var dropped: [Input?] = []
      lock.lock()
      guard let source = upstream else { return lock.unlock() }
      (upstream, self.completion) = (nil, completion)
      if case .failure = completion { (dropped, slots, head, tail) = (slots, [], 0, 0) }
      let isMine = claim()
      lock.unlock()
      withExtendedLifetime((source, dropped)) {}
      if isMine { deliver() }
    }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock {
        demand += more
        return claim()
      }
      if isMine { deliver() }
    }

    func cancel() {
      let old = lock.withLock {
        defer { (downstream, upstream, slots, head, tail) = (nil, nil, [], 0, 0) }
        return (downstream, upstream, slots)
      }
      old.1?.cancel()
    }

    private func claim() -> Bool {
      defer { isDelivering = true }
      return !isDelivering
    }

    private func deliver() {
      while let step = lock.withLock({ next() }) {
        switch step {
        case .end(let target, let completion):
          return target.receive(completion: completion)
        case .value(let target, let value):
          let more = target.receive(value)
          let source = lock.withLock {
            demand += more
            return upstream
          }
          // For the slot that is free now.
          source?.request(.max(1))
        }
      }
    }

    private func next() -> Step? {
      if let downstream, head == tail, let completion {
        self.downstream = nil
        return .end(downstream, completion)
      }
      guard let downstream, head != tail, demand > .none, let value = slots[head] else {
        isDelivering = false
        return nil
      }
      slots[head] = nil
      head = after(head)
      demand -= 1
      return .value(downstream, value)
    }
  }
}
