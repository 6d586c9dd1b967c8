// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: takes everything from upstream, and plays the inner streams one after the other. A loop subscribes to
// the next one, so that thousands which end at once do not deepen the stack; it waits for deliveries that are under
// way.
struct OneByOne<Upstream: Publisher, Inner: Publisher>: Publisher where Inner.Failure == Upstream.Failure {
  typealias Output = Inner.Output
  typealias Failure = Inner.Failure

  let upstream: Upstream
  let play: (Upstream.Output) -> Inner

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Player(subscriber, play))
  }

  private final class Player<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Inner.Output, Downstream.Failure == Inner.Failure {
    typealias Input = Upstream.Output
    typealias Failure = Inner.Failure
    private enum Step {
      case play(Input, Int)
      case end(Downstream, Subscribers.Completion<Failure>)
    }

    private let lock = NSLock()
    private let play: (Input) -> Inner
    private var downstream: Downstream?
    private var outer: (any Subscription)?
    private var hasStarted = false
    private var waiting: [Input] = []
    private var current: (number: Int, subscription: (any Subscription)?)?
    private var count = 0
    private var end: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var deliveries = 1  // that are under way; the handshake counts as one
    private var isLooping = false

    init(_ downstream: Downstream, _ play: @escaping (Input) -> Inner) {
      (self.downstream, self.play) = (downstream, play)
    }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> Downstream? in
        guard !hasStarted else { return nil }
        (hasStarted, outer) = (true, subscription)
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      lock.withLock { deliveries -= 1 }
      goOn()
      lock.withLock { outer }?.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.withLock { if outer != nil { waiting.append(input) } }
      goOn()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      if case .failure = completion { return fail(completion, if: { outer != nil }) }
      let old = lock.withLock { () -> (any Subscription)? in
        guard let outer else { return nil }
        (self.outer, end) = (nil, completion)
        return outer
      }
      withExtendedLifetime(old) { goOn() }
    }

    private func fail(_ completion: Subscribers.Completion<Failure>, isOfInner: Bool = false, if isDue: () -> Bool) {
      typealias Dropped = (outer: (any Subscription)?, inner: (any Subscription)?, [Input])
      let dropped = lock.withLock { () -> Dropped? in
        guard isDue() else { return nil }
        defer { (outer, current, waiting, end) = (nil, nil, [], completion) }
        return (outer, current?.subscription, waiting)
      }
      guard let dropped else { return }
      if isOfInner { dropped.outer?.cancel() } else { dropped.inner?.cancel() }
      goOn()
    }

    private func started(_ number: Int, _ subscription: any Subscription) {
      let owed = lock.withLock { () -> Subscribers.Demand? in
        guard let current, current.number == number, current.subscription == nil else { return nil }
        self.current = (number, subscription)
        return demand
      }
      guard let owed else { return subscription.cancel() }
      if owed > .none { subscription.request(owed) }
    }

    private func value(_ number: Int, _ value: Inner.Output) -> Subscribers.Demand {
      lock.lock()
      guard let target = downstream, current?.number == number, demand > .none else {
        lock.unlock()
        return .none
      }
      demand -= 1
      deliveries += 1
      lock.unlock()
      let more = target.receive(value)
      let isCurrent = lock.withLock {
        demand += more
        deliveries -= 1
        return current?.number == number
      }
      if !isCurrent { goOn() }
      return isCurrent ? more : .none
    }

    private func ended(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
      if case .failure = completion { return fail(completion, isOfInner: true) { current?.number == number } }
      let old = lock.withLock { () -> (any Subscription)? in
        guard let current, current.number == number else { return nil }
        self.current = nil
        return current.subscription
      }
      withExtendedLifetime(old) { goOn() }
    }

    // One call at a time, and flat: a call that comes while it runs leaves the rest to it.
    private func goOn() {
      var isMine = false
      while let step = lock.withLock({ isLooping && !isMine ? nil : next() }) {
        isMine = true
        switch step {
        case .end(let target, let completion): target.receive(completion: completion)
        case .play(let input, let number):
          play(input).subscribe(
            AnySubscriber<Inner.Output, Failure>(
              receiveSubscription: { self.started(number, $0) },
              receiveValue: { self.value(number, $0) },
              receiveCompletion: { self.ended(number, $0) }))
        }
      }
    }

    private func next() -> Step? {
      isLooping = false
      guard let downstream, deliveries == 0, current == nil else { return nil }
      if !waiting.isEmpty {
        count += 1
        current = (count, nil)
        isLooping = true
        return .play(waiting.removeFirst(), count)
      }
      guard let end else { return nil }
      self.downstream = nil
      isLooping = true
      return .end(downstream, end)
    }

    func request(_ more: Subscribers.Demand) {
      let inner = lock.withLock {
        demand += more
        return current?.subscription
      }
      if more > .none { inner?.request(more) }
    }

    func cancel() {
      let (_, outer, current, _) = lock.withLock {
        defer { (downstream, self.outer, self.current, waiting) = (nil, nil, nil, []) }
        return (downstream, self.outer, self.current, waiting)
      }
      current?.subscription?.cancel()
      outer?.cancel()
    }
  }
}
