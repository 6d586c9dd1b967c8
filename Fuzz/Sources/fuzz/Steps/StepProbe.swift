// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// A probe below a source that notes the demand on it, the values that it delivers, and its cancel.
final class StepProbe<Downstream: Subscriber<Int, ModelError>>: Subscriber, Subscription {
  private let downstream: Downstream
  private let id: Int
  private let number: Int
  private let world: StepWorld
  private var upstream: (any Subscription)?
  private var isIntroduced = false
  private var isCancelledEarly = false

  fileprivate init(_ downstream: Downstream, of id: Int, in world: StepWorld) {
    self.downstream = downstream
    self.id = id
    self.world = world
    number = world.log.subscribe(to: id, at: world.now)
  }

  private func note(_ change: (inout StepLog.Source, Int) -> Void) {
    change(&world.log.sources[id]![number], world.now)
  }

  private func grant(_ demand: Subscribers.Demand) {
    note { $0.grant(demand.max.map(Amount.init) ?? .unlimited, at: $1) }
  }

  func receive(subscription: any Subscription) {
    upstream = subscription
    downstream.receive(subscription: self)
    isIntroduced = true
  }

  func receive(_ value: Int) -> Subscribers.Demand {
    note { source, _ in
      source.delivered.append(value)
      if source.granted.last?.total ?? .none < Amount(source.delivered.count) {
        source.faults.append("delivered more than granted")
      }
      if source.ending != nil { source.faults.append("delivered after the end") }
    }
    let demand = downstream.receive(value)
    grant(demand)
    return demand
  }

  func receive(completion: Subscribers.Completion<ModelError>) {
    note { source, now in
      switch source.ending {
      case nil: source.ending = .ended(now)
      case .ended: source.faults.append("a second end")
      // A source that has nothing to deliver ends even if it is cancelled while it hands over its subscription.
      case .cancelled: if !isCancelledEarly { source.faults.append("ended after a cancel") }
      }
    }
    downstream.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    if demand == .none { note { source, _ in source.faults.append("request(.none)") } }
    grant(demand)
    upstream?.request(demand)
  }

  func cancel() {
    if !isIntroduced { isCancelledEarly = true }
    note { source, now in
      switch source.ending {
      case .cancelled: source.faults.append("a second cancel")
      case .ended: break
      case nil: source.ending = .cancelled(now)
      }
    }
    upstream?.cancel()
    upstream = nil
  }
}

/// A source with a probe below it.
struct Probed<Upstream: Publisher<Int, ModelError>>: Publisher {
  typealias Output = Int
  typealias Failure = ModelError

  let upstream: Upstream
  let source: Int
  let world: StepWorld

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == ModelError {
    upstream.subscribe(StepProbe(subscriber, of: source, in: world))
  }
}
