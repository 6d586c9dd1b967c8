// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// A user's publisher between two operators, which only passes everything on.
///
/// The library knows nothing about it, so the operators upstream and downstream of it are not fused, and no subscriber
/// below it is kept by a subject.
public struct Hidden<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  let upstream: Upstream

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(HiddenSubscriber(subscriber))
  }
}

extension Publisher {
  /// Inserts a publisher that only passes everything on.
  @inline(never)
  public func hidden() -> Hidden<Self> { Hidden(upstream: self) }

  /// Inserts a publisher with a mistake, to prove that the examination finds mistakes.
  @inline(never)
  public func mistaken(_ mistake: Int) -> Mistaken<Self> { Mistaken(upstream: self, mistake: mistake) }
}

private final class HiddenSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private let downstream: Downstream

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    downstream.receive(subscription: HiddenSubscription(subscription))
  }

  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

private final class HiddenSubscription: Subscription {
  private let upstream: any Subscription

  init(_ upstream: any Subscription) { self.upstream = upstream }

  func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  func cancel() { upstream.cancel() }
}
