// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The core of `drop(untilOutputFrom:)`.
@usableFromInline
package final class DropUntilCore<Downstream: Subscriber>: FanInSubscription {
  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let trigger = Inlet()

  /// Whether the trigger has delivered a value, so that upstream's values are forwarded.
  @usableFromInline internal let isOpen = AtomicCell(false)
  /// The demand requested from upstream, debited until the trigger has delivered a value.
  @usableFromInline internal let ledger = DemandLedger()

  /// Whether upstream may exceed demand.
  ///
  /// Stored, because downstream still asks after upstream's end.
  @usableFromInline internal let isUncounted = AtomicCell(false)

  @usableFromInline
  package override var above: BaseSubscription? { upstream.slot.base }

  @usableFromInline
  package override var exceedsDemand: Bool { isUncounted.load(ordering: .relaxed) || upstream.slot.exceedsDemand }

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var hasBegun = false
  /// Downstream's demand from before upstream's subscription arrived.
  @exclusivity(unchecked) @usableFromInline internal var pending = Subscribers.Demand.none

  @inlinable
  package init(to downstream: Downstream) {
    self.downstream = downstream
    super.init(
      name: "DropUntilOutput", inlets: [upstream, trigger], acceptsZeroDemand: true,
      downstreamIsSynchronous: downstream.isSynchronous,
      request: { unsafeDowncast($0, to: DropUntilCore.self).add($1) },
      discard: { _ in })
  }

  @inlinable
  internal func begin() {
    hasBegun = true
    requestLater(pending, from: upstream)
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand) {
    if isClosed { return }
    ledger.add(more)
    if hasBegun { forwardLater(more, to: upstream) } else { pending += more }
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard close() else { return }
    cancelUpstreams()
    downstream.receive(completion: completion)
  }
}

/// The upstream side of a ``DropUntilCore``.
///
/// It accepts values and completions before the subscription, as in Combine.
@usableFromInline
internal struct DropUntilLink<Downstream: Subscriber>: SplitOperator {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let drop: DropUntilCore<Downstream>

  @inlinable @inline(__always)
  internal init(_ drop: DropUntilCore<Downstream>) { self.drop = drop }

  @inlinable
  internal var subscription: DropUntilCore<Downstream> { drop }

  @inlinable
  internal func receive(subscription: any Subscription) {
    guard drop.upstream.slot.attach(subscription) else { return }
    drop.isUncounted.store(subscription.mayExceedDemand, ordering: .relaxed)
    drop.holdJoining(of: subscription)
    drop.submit { [drop] in drop.begin() }
  }

  @inlinable
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let drop = self.drop
    if drop.isClosed { return .none }
    guard drop.isOpen.load(ordering: .relaxed) else {
      if !drop.ledger.takeOne(), !drop.exceedsDemand, !drop.isClosed {
        trap(.unrequestedValue(operator: "drop(untilOutputFrom:)"))
      }
      return .none
    }
    return Unmanaged<SerialSubscription>.passUnretained(drop).act(
      or: .none, { drop.downstream.receive(input) },
      later: { thread in
        drop.postpone(thread) { drop.requestLater(drop.downstream.receive(input), from: drop.upstream) }
        return .none
      })
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard drop.upstream.slot.finish() || drop.upstream.slot.cancel(early: true) else { return }
    drop.submit { [drop] in drop.finish(completion) }
  }
}

/// The signals of the trigger: the publisher whose first value makes a ``DropUntilCore`` forward values.
@usableFromInline
internal struct DropTriggerFlow<Input, Downstream: Subscriber>: Inflow {
  @usableFromInline internal let drop: DropUntilCore<Downstream>

  @inlinable
  internal init(_ drop: DropUntilCore<Downstream>) { self.drop = drop }

  @inlinable
  internal static var isOneWithCore: Bool { true }

  @inlinable
  internal var core: SerialSubscription { drop }

  @inlinable
  internal var inlet: Inlet { drop.trigger }

  /// Requests without entering the loop: the request touches no state of the loop's owner.
  @inlinable
  internal func arrive(_ subscription: any Subscription) { subscription.request(.max(1)) }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand {
    drop.isOpen.store(true, ordering: .relaxed)
    return .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if !drop.isOpen.load(ordering: .relaxed) { drop.finish(completion) }
  }
}
