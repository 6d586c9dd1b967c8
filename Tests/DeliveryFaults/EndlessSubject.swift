// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
public import PenstockCore
public import PenstockTesting

/// A record of the demand and the values of a publisher with threads of its own, so that a verification knows when the
/// publisher has delivered everything.
public final class EndlessSubject: @unchecked Sendable {
  // `@unchecked`: the state is under the condition's lock.

  private struct Subscription {
    var requested = Subscribers.Demand.none
    var delivered = 0
    var isOver = false

    var isServed: Bool { isOver || requested <= delivered }
  }

  private struct State {
    var subscriptions: [Subscription] = []
    var hasEnded = false
  }

  private let count: Int
  private let isShared: Bool
  private let condition = NSCondition()
  private var state = State()
  private let end: @Sendable () -> Void

  /// - Parameters:
  ///   - count: The number of values.
  ///   - isShared: Whether all subscribers together get that number, and a subscriber that has requested nothing does
  ///     not notice the end, since the server is not asked; otherwise each subscriber gets that number, and notices the
  ///     end.
  ///   - end: Ends the streams; called when all values have been delivered, and again after subscribers that come then.
  public init(_ count: Int, isShared: Bool = true, end: @escaping @Sendable () -> Void = {}) {
    (self.count, self.isShared, self.end) = (count, isShared, end)
  }

  /// Returns a publisher, with the closure that waits for it.
  ///
  /// - Parameters:
  ///   - start: Called at each step, before the wait.
  ///   - make: Makes the publisher, for each subscriber.
  public func driven<P: Publisher>(
    before start: @escaping @Sendable () -> Void = {}, _ make: @escaping () -> P
  ) -> Driven<some Publisher<P.Output, P.Failure>> {
    let watched = Watched(
      make: make,
      watch: { [self] in
        let place = change { state in
          state.subscriptions.append(Subscription())
          // A subscriber that comes after the end of others has an end of its own.
          if !isShared { state.hasEnded = false }
          return state.subscriptions.count - 1
        }
        return { event in
          self.change { state in
            switch event {
            case .requested(let demand): state.subscriptions[place].requested += demand
            case .delivered(let more):
              state.subscriptions[place].delivered += 1
              state.subscriptions[place].requested += more
            case .over: state.subscriptions[place].isOver = true
            }
          }
        }
      })
    return Driven(watched) { [self] in
      start()
      wait { hasDelivered(in: $0) || $0.subscriptions.allSatisfy { $0.isServed || isComplete($0) } }
      let (isOver, isFirst) = change { state in
        if !state.hasEnded, !hasDelivered(in: state) { return (false, false) }
        defer { state.hasEnded = true }
        return (true, !state.hasEnded)
      }
      guard isOver else { return }
      if isFirst { end() }
      // All subscribers notice the end, or all that have requested something.
      wait { $0.subscriptions.allSatisfy { $0.isOver || (isShared && $0.isServed) } }
    }
  }

  private func isComplete(_ subscription: Subscription) -> Bool { !isShared && subscription.delivered >= count }

  private func hasDelivered(in state: State) -> Bool {
    if isShared { return state.subscriptions.reduce(0) { $0 + $1.delivered } >= count }
    return state.subscriptions.allSatisfy { $0.isOver || isComplete($0) }
  }

  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    condition.withLock {
      defer { condition.broadcast() }
      return body(&state)
    }
  }

  /// Waits for the work of other threads; the limit is for a condition that is never met.
  private func wait(until isReached: (State) -> Bool) {
    let limit = Date(timeIntervalSinceNow: 5)
    condition.withLock { while !isReached(state), condition.wait(until: limit) {} }
  }
}

/// An event of a subscription, reported when downstream knows about it.
private enum Event {
  case requested(Subscribers.Demand)
  case delivered(more: Subscribers.Demand)
  case over
}

/// A publisher whose subscribers are watched.
///
/// `handleEvents` would report a value before it is delivered.
private struct Watched<Base: Publisher>: Publisher {
  typealias Output = Base.Output
  typealias Failure = Base.Failure

  let make: () -> Base
  let watch: () -> (Event) -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    make().receive(subscriber: Watcher(downstream: subscriber, tell: watch()))
  }
}

private struct Watcher<Downstream: Subscriber>: Subscriber {
  let downstream: Downstream
  let tell: (Event) -> Void
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any PenstockCore.Subscription) {
    downstream.receive(subscription: WatchedSubscription(subscription, tell))
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let more = downstream.receive(input)
    tell(.delivered(more: more))
    return more
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
    tell(.over)
  }
}

private final class WatchedSubscription: PenstockCore.Subscription {
  private let base: any PenstockCore.Subscription
  private let tell: (Event) -> Void

  init(_ base: any PenstockCore.Subscription, _ tell: @escaping (Event) -> Void) {
    (self.base, self.tell) = (base, tell)
  }

  func request(_ demand: Subscribers.Demand) {
    tell(.requested(demand))
    base.request(demand)
  }

  func cancel() {
    base.cancel()
    tell(.over)
  }
}
