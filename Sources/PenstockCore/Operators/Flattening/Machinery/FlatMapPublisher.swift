// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Subscribes an operator of `flatMap`'s kind to this publisher.
  @inlinable @inline(__always)
  internal func subscribe<Inner: Publisher, Policy: FlatMapPolicy, Downstream: Subscriber>(
    _ maxPublishers: Subscribers.Demand, _ policy: Policy.Type, _ transform: @escaping (Output) -> Inner,
    to downstream: Downstream
  ) where Inner.Failure == Failure, Downstream.Input == Inner.Output, Downstream.Failure == Failure {
    let core = FlatMapCore(name: Policy.name, maxPublishers, holdsBack: Policy.holdsBack, to: downstream)
    core.introduce()
    feed(core, policy, transform, above: Downstream.self)
  }

  /// The same for a target that resides: its subscriber is kept in the operator's subscription.
  ///
  /// A function of its own, as ``SinkTarget/_subscribe(to:)`` is.
  @inlinable @inline(never)
  internal func subscribe<Inner: Publisher, Policy: FlatMapPolicy, Target: _FusionTarget>(
    _ maxPublishers: Subscribers.Demand, _ policy: Policy.Type, _ transform: @escaping (Output) -> Inner,
    keeping target: Target
  ) -> Target.Answer where Inner.Failure == Failure, Target.Input == Inner.Output, Target.Failure == Failure {
    let core = FlatMapCore<Target.Input, Target.Failure>(
      name: Policy.name, maxPublishers, holdsBack: Policy.holdsBack,
      downstream: SubscriberCalls(of: Target.Resident.self))
    core.keep(target)
    core.introduce()
    feed(core, policy, transform, above: Target.Resident.self)
    return Target._answer(core)
  }

  /// Subscribes a core, which downstream has as its subscription already, to this publisher.
  @inlinable @inline(__always)
  internal func feed<Inner: Publisher, Core: FlatteningCore, Policy: FlatMapPolicy, Downstream: Subscriber>(
    _ core: Core, _ policy: Policy.Type, _ transform: @escaping (Output) -> Inner, above downstream: Downstream.Type
  ) where Inner.Output == Core.Output, Inner.Failure == Core.Failure, Core.Failure == Failure {
    subscribe(InletSubscriber(FlatMapUpstreamHandler(core, policy, transform)), above: Downstream.self)
  }

  /// A publisher that turns values into inner publishers by a policy, for an operator without a public type.
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

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Inner.Output == S.Input, Upstream.Failure == S.Failure {
    upstream.subscribe(Policy.maxPublishers, Policy.self, transform, to: subscriber)
  }
}
