// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Subscribes an operator of `flatMap`'s kind to this publisher.
  @inlinable @inline(__always)
  internal func subscribe<Inner: Publisher, Policy: FlatMapPolicy, Downstream: Subscriber>(
    _ maxPublishers: Subscribers.Demand, _ policy: Policy.Type, _ transform: @escaping (Output) -> Inner,
    to downstream: Downstream
  ) where Inner.Failure == Failure, Downstream.Input == Inner.Output, Downstream.Failure == Failure {
    let core = FlatMapCore(name: Policy.name, maxPublishers, to: downstream)
    core.start(downstream)
    subscribe(InletSubscriber(FlatMapUpstreamHandler(core, policy, transform)))
  }

  /// A publisher that turns values into inner publishers by a policy, for an operator without a public type.
  ///
  /// Unlimited values are requested from this publisher.
  @inlinable
  package func flatMap<Inner: Publisher, Policy: FlatMapPolicy>(
    by policy: Policy.Type, _ transform: @escaping (Output) -> Inner
  ) -> FlatMapPublisher<Self, Inner, Policy> {
    FlatMapPublisher(upstream: self, transform: transform)
  }
}

/// The publisher of an operator of `flatMap`'s kind that has no public type.
@usableFromInline
package struct FlatMapPublisher<Upstream: Publisher, Inner: Publisher, Policy: FlatMapPolicy>: Publisher
where Inner.Failure == Upstream.Failure {
  @usableFromInline package typealias Output = Inner.Output
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let transform: (Upstream.Output) -> Inner

  @inlinable
  internal init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Inner) {
    self.upstream = upstream
    self.transform = transform
  }

  @inlinable @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Inner.Output == S.Input, Upstream.Failure == S.Failure {
    upstream.subscribe(.unlimited, Policy.self, transform, to: subscriber)
  }
}
