// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The core of `prefix(untilOutputFrom:)`.
@usableFromInline
package final class PrefixUntilCore<Downstream: Subscriber>: FanInSubscription {
  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let trigger = Inlet()

  /// Whether downstream has its subscription; accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var hasBegun = false

  @inlinable
  package init(to downstream: Downstream) {
    self.downstream = downstream
    super.init(
      name: "PrefixUntilOutput", inlets: [upstream, trigger], acceptsZeroDemand: true,
      downstreamIsSynchronous: downstream.isSynchronous,
      request: {
        let core = unsafeDowncast($0, to: PrefixUntilCore.self)
        core.forwardLater($1, to: core.upstream)
      },
      discard: { _ in })
  }

  @usableFromInline
  package override var above: BaseSubscription? { upstream.slot.base }

  @inlinable
  internal func begin() {
    hasBegun = true
    downstream.receive(subscription: self)
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard close() else { return }
    cancelUpstreams()
    // The trigger may deliver before upstream has delivered a subscription; downstream gets a subscription before the
    // completion in any case.
    if !hasBegun { downstream.receive(subscription: self) }
    downstream.receive(completion: completion)
  }
}

/// The signals of the upstream of a ``PrefixUntilCore``.
@usableFromInline
internal struct PrefixUntilFlow<Downstream: Subscriber>: Inflow {
  @usableFromInline internal let prefix: PrefixUntilCore<Downstream>

  @inlinable
  internal init(_ prefix: PrefixUntilCore<Downstream>) { self.prefix = prefix }

  @inlinable
  internal var core: SerialSubscription { prefix }

  @inlinable
  internal var inlet: Inlet { prefix.upstream }

  @inlinable
  internal func begin() { prefix.begin() }

  @inlinable
  internal func take(_ input: Downstream.Input) -> Subscribers.Demand {
    prefix.isClosed ? .none : prefix.downstream.receive(input)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) { prefix.finish(completion) }
}

/// The subscriber for the upstream of a ``PrefixUntilCore``, which shares the identity of the subscription.
@usableFromInline
internal struct PrefixUntilSide<Downstream: Subscriber>: SplitOperator {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let tributary: InletSubscriber<PrefixUntilFlow<Downstream>>

  @inlinable @inline(__always)
  internal init(_ prefix: PrefixUntilCore<Downstream>) { tributary = InletSubscriber(PrefixUntilFlow(prefix)) }

  @inlinable
  internal var subscription: SerialSubscription { tributary.flow.core }

  @inlinable
  internal func receive(subscription: any Subscription) { tributary.receive(subscription: subscription) }

  @inlinable
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand { tributary.receive(input) }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    tributary.receive(completion: completion)
  }
}

/// The signals of the trigger: the publisher whose first value ends a ``PrefixUntilCore``.
@usableFromInline
internal struct PrefixTriggerFlow<Input, Failure: Error, Downstream: Subscriber>: Inflow {
  @usableFromInline internal let prefix: PrefixUntilCore<Downstream>

  @inlinable
  internal init(_ prefix: PrefixUntilCore<Downstream>) { self.prefix = prefix }

  @inlinable
  internal var core: SerialSubscription { prefix }

  @inlinable
  internal var inlet: Inlet { prefix.trigger }

  /// Requests without entering the loop: the request touches no state of the loop's owner.
  @inlinable
  internal func arrive(_ subscription: any Subscription) { subscription.request(.max(1)) }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand {
    prefix.finish(.finished)
    return .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {}
}
