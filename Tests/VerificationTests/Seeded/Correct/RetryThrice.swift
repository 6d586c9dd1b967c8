// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A retry with a limit: subscribes to a failed upstream again, three times at most.
///
/// Keeps all rules.
struct RetryThrice<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    Inner(downstream: subscriber, upstream: upstream).connect()
  }

  private final class Inner<Downstream: Subscriber>: Subscription
  where Downstream.Input == Int, Downstream.Failure == Upstream.Failure {
    private let lock = NSLock()
    private var upstream: Upstream?
    private var downstream: Downstream?
    private var current: (any Subscription)?
    /// The demand of downstream, by both roads, that has not been met yet.
    private var demand = Subscribers.Demand.none
    private var attempt = 0
    private var isHandedDown = false
    private var isConnecting = false
    private var connectsAgain = false

    init(downstream: Downstream, upstream: Upstream) {
      self.downstream = downstream
      self.upstream = upstream
    }

    /// Subscribes in a loop, because an attempt may fail before `subscribe` has returned.
    func connect() {
      lock.lock()
      connectsAgain = true
      guard !isConnecting else { return lock.unlock() }
      isConnecting = true
      lock.unlock()
      while let (source, number) = nextAttempt() {
        source.subscribe(Attempt(inner: self, number: number))
      }
    }

    private func nextAttempt() -> (Upstream, Int)? {
      lock.lock()
      defer { lock.unlock() }
      guard connectsAgain, let upstream else {
        isConnecting = false
        return nil
      }
      connectsAgain = false
      return (upstream, attempt)
    }

    func began(_ subscription: any Subscription, _ number: Int) {
      lock.lock()
      guard number == attempt, current == nil, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      current = subscription
      let isFirst = !isHandedDown
      isHandedDown = true
      let owed = demand
      lock.unlock()
      if isFirst {
        target.receive(subscription: self)
      } else if owed > .none {
        subscription.request(owed)
      }
    }

    func arrived(_ value: Int, _ number: Int) -> Subscribers.Demand {
      lock.lock()
      guard number == attempt, current != nil, let target = downstream else {
        lock.unlock()
        return .none
      }
      if demand > .none { demand -= 1 }
      lock.unlock()
      let more = target.receive(value)
      lock.lock()
      demand += more
      let isStale = number != attempt
      let asked = current
      lock.unlock()
      guard isStale else { return more }
      // The attempt failed inside the callback: the next attempt owes the demand that was just requested.
      if more > .none { asked?.request(more) }
      return .none
    }

    func ended(_ completion: Subscribers.Completion<Upstream.Failure>, _ number: Int) {
      lock.lock()
      guard number == attempt, let old = current, let target = downstream else { return lock.unlock() }
      current = nil
      attempt += 1
      if case .failure = completion, attempt <= 3 {
        lock.unlock()
        return withExtendedLifetime(old) { connect() }
      }
      downstream = nil
      let source = upstream
      upstream = nil
      lock.unlock()
      withExtendedLifetime((old, source)) { target.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, downstream != nil else { return lock.unlock() }
      self.demand += demand
      let asked = current
      lock.unlock()
      asked?.request(demand)
    }

    func cancel() {
      lock.lock()
      let released = (downstream, upstream)
      downstream = nil
      upstream = nil
      let old = current
      current = nil
      lock.unlock()
      withExtendedLifetime(released) { old?.cancel() }
    }
  }

  /// One attempt; its number distinguishes its events from those of an older one.
  private struct Attempt<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Int, Downstream.Failure == Upstream.Failure {
    let combineIdentifier = CombineIdentifier()
    let inner: Inner<Downstream>
    let number: Int

    func receive(subscription: any Subscription) {
      inner.began(subscription, number)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      inner.arrived(input, number)
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      inner.ended(completion, number)
    }
  }
}
