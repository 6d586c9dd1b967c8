// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-04 – the first upstream value only becomes the reference for the next one, and is answered with .none
// instead of .max(1). It shows with finite demand: demand n gives n - 1 values, demand 1 gives none and stalls.
struct Deltas<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(DeltaStage(downstream: subscriber))
  }
}

private final class DeltaStage<Downstream: Subscriber>: Subscriber, Subscription where Downstream.Input == Int {
  typealias Input = Int
  typealias Failure = Downstream.Failure

  private let lock = NSLock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var previous: Int?

  init(downstream: Downstream) {
    self.downstream = downstream
  }

  func receive(subscription: any Subscription) {
    let target = lock.withLock { () -> Downstream? in
      guard upstream == nil, let downstream else { return nil }
      upstream = subscription
      return downstream
    }
    guard let target else {
      subscription.cancel()
      return
    }
    target.receive(subscription: self)
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    let (target, before) = lock.withLock { () -> (Downstream?, Int?) in
      guard upstream != nil else { return (nil, nil) }
      defer { previous = input }
      return (downstream, previous)
    }
    guard let target, let before else { return .none }
    return target.receive(input - before)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let taken = takeBoth()
    guard taken.source != nil else { return }
    taken.target?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let source = lock.withLock { upstream }
    source?.request(demand)
  }

  func cancel() {
    takeBoth().source?.cancel()
  }

  private func takeBoth() -> (target: Downstream?, source: (any Subscription)?) {
    lock.withLock {
      guard upstream != nil else { return (nil, nil) }
      defer {
        downstream = nil
        upstream = nil
      }
      return (downstream, upstream)
    }
  }
}
