// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator that turns upstream's values into inner publishers, and republishes the values of several at a time.
@usableFromInline
package protocol FlatteningOperator: SerialOperator
where Core: FlatteningCore, Core.Output == Output, Core.Failure == Failure {
  associatedtype Upstream: Publisher where Upstream.Failure == Failure
  associatedtype Inner: Publisher where Inner.Output == Output, Inner.Failure == Failure
  associatedtype Policy: FlatMapPolicy = FlatMapEvery

  var upstream: Upstream { get }
  var transform: (Upstream.Output) -> Inner { get }
}

extension FlatteningOperator {
  @inlinable
  package func start<Downstream: Subscriber>(_ core: Core, upstreamOf downstream: Downstream.Type)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    core.introduce()
    upstream.subscribe(
      InletSubscriber(FlatMapUpstreamHandler(core, Policy.self, transform)), upstreamOf: Downstream.self)
  }
}

/// The publisher of an operator of `flatMap`'s kind that has no public type.
@usableFromInline
package struct FlatMapPublisher<Upstream: Publisher, Inner: Publisher, Policy: FlatMapPolicy>: FlatteningOperator
where Inner.Failure == Upstream.Failure {
  @usableFromInline package typealias Output = Inner.Output
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline package let upstream: Upstream
  @usableFromInline package let transform: (Upstream.Output) -> Inner

  @inlinable
  internal init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Inner) {
    self.upstream = upstream
    self.transform = transform
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Inner.Output == S.Input, Upstream.Failure == S.Failure {
    attach(subscriber)
  }

  @_alwaysEmitIntoClient
  package func makeCore(_ downstream: __owned SubscriberCalls) -> FlatMapCore<Output, Failure> {
    FlatMapCore(name: Policy.name, Policy.maxPublishers, holdsBack: Policy.holdsBack, downstream: downstream)
  }
}

extension Publisher {
  /// A publisher that turns values into inner publishers by a policy, for an operator without a public type.
  @_alwaysEmitIntoClient
  package func flatMap<Inner: Publisher, Policy: FlatMapPolicy>(
    by policy: Policy.Type, _ transform: @escaping (Output) -> Inner
  ) -> FlatMapPublisher<Self, Inner, Policy> {
    FlatMapPublisher(upstream: self, transform: transform)
  }
}
