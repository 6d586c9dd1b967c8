// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: the values of two upstreams in pairs. Both are asked for what downstream asks for; all calls are made in
// one loop, by one thread at a time. It ends as soon as one of them has ended and has no value left, and cancels
// the other.
struct MatchedPairs<Left: Publisher, Right: Publisher>: Publisher where Left.Failure == Right.Failure {
  typealias Output = (Left.Output, Right.Output)
  typealias Failure = Left.Failure

  let left: Left
  let right: Right

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let matcher = Matcher(subscriber)
    subscriber.receive(subscription: matcher)
    left.subscribe(matcher.end(of: \.left))
    right.subscribe(matcher.end(of: \.right))
    matcher.work()
  }

  private final class Matcher<Downstream: Subscriber>: Subscription
  where Downstream.Input == (Left.Output, Right.Output), Downstream.Failure == Left.Failure {
    typealias Failure = Left.Failure
    struct Side<Value> {
      var subscription: (any Subscription)?
      var hasStarted = false
      var hasEnded = false
      var values: [Value] = []
      var owed = Subscribers.Demand.none
      var isUsedUp: Bool { hasEnded && values.isEmpty }
    }
    struct Sides {
      var left = Side<Left.Output>()
      var right = Side<Right.Output>()
    }

    private let lock = NSLock()
    private var downstream: Downstream?
    private var sides = Sides()
    private var failure: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isWorking = true  // until both are subscribed to

    init(_ downstream: Downstream) { self.downstream = downstream }

    func end<Value>(of side: WritableKeyPath<Sides, Side<Value>>) -> AnySubscriber<Value, Failure> {
      AnySubscriber<Value, Failure>(
        receiveSubscription: { subscription in
          var isWanted = false
          self.change {
            guard self.downstream != nil, self.failure == nil, !self.sides[keyPath: side].hasStarted else { return }
            isWanted = true
            (self.sides[keyPath: side].hasStarted, self.sides[keyPath: side].subscription) = (true, subscription)
          }
          if !isWanted { subscription.cancel() }
        },
        receiveValue: { value in
          self.change {
            if self.sides[keyPath: side].subscription != nil { self.sides[keyPath: side].values.append(value) }
          }
          return .none
        },
        receiveCompletion: { completion in
          var old: (any Subscription)?
          self.change {
            old = self.sides[keyPath: side].subscription
            guard old != nil else { return }
            (self.sides[keyPath: side].subscription, self.sides[keyPath: side].hasEnded) = (nil, true)
            if case .failure = completion { self.failure = self.failure ?? completion }
          }
          withExtendedLifetime(old) {}
        })
    }

    func request(_ more: Subscribers.Demand) { change { add(more) } }

    private func add(_ more: Subscribers.Demand) {
      demand += more
      sides.left.owed += more
      sides.right.owed += more
    }

    func cancel() {
      let (_, old) = lock.withLock {
        defer { (downstream, sides) = (nil, Sides()) }
        return (downstream, sides)
      }
      old.left.subscription?.cancel()
      old.right.subscription?.cancel()
    }

    private func change(_ body: () -> Void) {
      let isMine = lock.withLock {
        body()
        defer { isWorking = true }
        return !isWorking
      }
      if isMine { work() }
    }

    func work() {
      while let step = lock.withLock({ next() }) { step() }
    }

    private func next() -> (() -> Void)? {
      guard let target = downstream else {
        isWorking = false
        return nil
      }
      if failure != nil || sides.left.isUsedUp || sides.right.isUsedUp {
        let (old, end) = (sides, failure ?? .finished)
        (downstream, sides) = (nil, Sides())
        return {
          old.left.subscription?.cancel()
          old.right.subscription?.cancel()
          target.receive(completion: end)
        }
      }
      if demand > .none, !sides.left.values.isEmpty, !sides.right.values.isEmpty {
        demand -= 1
        let pair = (sides.left.values.removeFirst(), sides.right.values.removeFirst())
        return {
          let more = target.receive(pair)
          self.lock.withLock { self.add(more) }
        }
      }
      if let ask = ask(\.left) ?? ask(\.right) { return ask }
      isWorking = false
      return nil
    }

    private func ask<Value>(_ side: WritableKeyPath<Sides, Side<Value>>) -> (() -> Void)? {
      let owed = sides[keyPath: side].owed
      guard owed > .none, let subscription = sides[keyPath: side].subscription else { return nil }
      sides[keyPath: side].owed = .none
      return { subscription.request(owed) }
    }
  }
}
