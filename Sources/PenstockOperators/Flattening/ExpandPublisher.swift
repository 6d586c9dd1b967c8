// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The signals of the upstream of an ``ExpandEngine``.
@usableFromInline
internal struct ExpandUpstreamHandler<Input, Failure: Error>: FlatteningUpstreamHandler {
  @usableFromInline internal let expanding: ExpandSubscriber<Input, Failure>

  @inlinable
  internal init(_ expanding: ExpandSubscriber<Input, Failure>) { self.expanding = expanding }

  @inlinable
  internal var flattening: FlatteningSubscription { expanding }

  @inlinable
  internal func arrive(_ subscription: any Subscription) {
    Unmanaged<SerialSubscription>.passUnretained(expanding)
      .act(or: (), { expanding.beginUpstream() }, later: { expanding.postpone($0) { expanding.beginUpstream() } })
  }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand { expanding.takeRoot(input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { expanding.endUpstream(completion) }
}

/// The publisher of `expand`.
@usableFromInline
internal struct ExpandPublisher<Upstream: Publisher, Inner: Publisher>: SerialOperator
where Inner.Output == Upstream.Output, Inner.Failure == Upstream.Failure {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let maxPublishers: Subscribers.Demand
  @usableFromInline internal let transform: (Output) -> Inner

  @inlinable
  internal init(upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Output) -> Inner) {
    self.upstream = upstream
    self.maxPublishers = maxPublishers
    self.transform = transform
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    attach(subscriber)
  }

  @inlinable
  internal func makeCore(_ downstream: __owned SubscriberCalls) -> ExpandSubscriber<Output, Failure> {
    .init(
      ExpandEngine { [transform] core, value in core.subscribe { transform(value) } }, name: "Expand", maxPublishers,
      downstream: downstream)
  }

  @inlinable @inline(__always)
  internal func start<Downstream: Subscriber>(
    _ core: ExpandSubscriber<Output, Failure>, upstreamOf downstream: Downstream.Type
  )
  where Downstream.Input == Output, Downstream.Failure == Failure {
    core.introduce()
    upstream.subscribe(InletSubscriber(ExpandUpstreamHandler(core)), upstreamOf: Downstream.self)
  }
}
