// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// A publisher like ``Hidden``, with a mistake.
public struct Mistaken<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  let upstream: Upstream
  let mistake: Int

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(MistakenSubscriber(subscriber, mistake))
  }
}

/// The mistakes: a value lost, the second value delivered twice, two values swapped, the end lost, a cancel not passed
/// on, the second request lost, a value after the end; with any other number, none.
private final class MistakenSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private let downstream: Downstream
  private let mistake: Int
  private var held: Input?
  private var count = 0

  init(_ downstream: Downstream, _ mistake: Int) {
    self.downstream = downstream
    self.mistake = mistake
  }

  func receive(subscription: any Subscription) {
    downstream.receive(subscription: MistakenSubscription(subscription, mistake))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    count += 1
    switch (mistake, count) {
    case (0, 2): return .max(1)
    case (1, 2): return downstream.receive(input) + downstream.receive(input)
    case (2, 1):
      held = input
      return .none
    case (2, 2):
      let demand = downstream.receive(input)
      return held.map { demand + downstream.receive($0) } ?? demand
    default:
      if mistake == 6 { held = input }
      return downstream.receive(input)
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if mistake == 3 { return }
    downstream.receive(completion: completion)
    if mistake == 6, let held { _ = downstream.receive(held) }
  }
}

private final class MistakenSubscription: Subscription {
  private let upstream: any Subscription
  private let mistake: Int
  private var requests = 0

  init(_ upstream: any Subscription, _ mistake: Int) {
    self.upstream = upstream
    self.mistake = mistake
  }

  func request(_ demand: Subscribers.Demand) {
    requests += 1
    if mistake != 5 || requests != 2 { upstream.request(demand) }
  }

  func cancel() {
    if mistake != 4 { upstream.cancel() }
  }
}
