// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The place for upstream's subscription in an operator: awaiting, active, or terminal.
///
/// Upstream's signals are serial by contract, but `request` and `cancel` may come from any thread. So the subscription
/// is behind a lock; the phase is stored beside it, and read with one relaxed load per value.
@usableFromInline
package struct SubscriptionSlot: ~Copyable {
  @usableFromInline
  package enum Phase: UInt8, AtomicCellValue, Sendable {
    case awaiting, active, terminal
  }

  @usableFromInline internal let atomicPhase = AtomicCell(Phase.awaiting)
  @usableFromInline internal let upstream: Guarded<BaseSubscription?>
  /// Whether upstream was found not to count demand.
  @usableFromInline internal let isUncounted = AtomicCell(false)

  @_alwaysEmitIntoClient
  package init() {
    upstream = Guarded(nil)
  }

  @_alwaysEmitIntoClient
  package var phase: Phase { atomicPhase.load(ordering: .relaxed) }

  /// Stores the first subscription; cancels any other, and one that arrives after the end.
  ///
  /// - Returns: Whether the subscription has been stored.
  @usableFromInline
  package borrowing func attach(_ subscription: any Subscription) -> Bool {
    let exceedsDemand = subscription.mayExceedDemand
    let wrapped = subscription.wrapped
    let taken = upstream.withLock { upstream in
      guard phase == .awaiting else { return false }
      assertInvariant(upstream == nil, "that a slot without a subscription is empty")
      if exceedsDemand { isUncounted.store(true, ordering: .relaxed) }
      upstream = wrapped
      atomicPhase.store(.active, ordering: .relaxed)
      return true
    }
    if !taken { subscription.cancel() }
    return taken
  }

  /// The subscription, while it is active, for mirrors.
  @usableFromInline
  package var current: (any Subscription)? { base?.original }

  /// The subscription, while it is active; a user's in a wrapper.
  @usableFromInline @inline(never)
  package var base: BaseSubscription? { upstream.withLock { $0 } }

  /// Requests values upstream, if there is a subscription.
  @usableFromInline
  package borrowing func request(_ demand: Subscribers.Demand) {
    base?.request(demand)
  }

  /// Whether upstream may exceed demand; see ``BaseSubscription/exceedsDemand``.
  ///
  /// Still known after upstream's end, since an operator may keep values that it has not delivered by then.
  @usableFromInline
  package var exceedsDemand: Bool {
    guard isDemandUncounted.load(ordering: .relaxed) else { return false }
    // In this order: it is noted before the subscription is released.
    return base?.mayExceedDemand ?? false || isUncounted.load(ordering: .relaxed)
  }

  /// Notes whether upstream may exceed demand, before its subscription is released.
  private borrowing func noteDemand() {
    if exceedsDemand { isUncounted.store(true, ordering: .relaxed) }
  }

  /// Ends the slot, and cancels the subscription, if there is one.
  ///
  /// - Parameter early: Whether a slot that is still awaiting its subscription ends, too, so that the subscription is
  ///   cancelled when it arrives. Combine's operators differ in this.
  /// - Returns: Whether this call has ended the slot.
  @discardableResult @usableFromInline
  package borrowing func cancel(early: Bool = false) -> Bool {
    let (ended, subscription) = end(early: early)
    subscription?.cancel()
    return ended
  }

  /// Ends the slot; the caller cancels or drops the subscription.
  ///
  /// - Parameter early: Whether a slot that is still awaiting its subscription ends, too.
  /// - Returns: Whether this call has ended the slot, and the subscription.
  @usableFromInline @inline(never)
  package borrowing func end(early: Bool = false) -> (ended: Bool, subscription: BaseSubscription?) {
    upstream.withLock { upstream in
      assertInvariant(phase == .active || upstream == nil, "that only an active slot stores a subscription")
      guard phase == .active || (early && phase == .awaiting) else { return (false, nil) }
      atomicPhase.store(.terminal, ordering: .relaxed)
      return (true, upstream.take())
    }
  }

  /// Drops the subscription without cancelling it, because upstream has ended.
  ///
  /// - Returns: Whether the slot was active.
  @usableFromInline
  package borrowing func finish() -> Bool {
    noteDemand()
    return end().ended
  }

  /// Drops the subscription without cancelling it; the slot stays active.
  ///
  /// - Returns: Whether the slot is active.
  @usableFromInline
  package borrowing func release() -> Bool {
    noteDemand()
    let (active, subscription) = upstream.withLock { upstream -> (Bool, BaseSubscription?) in
      (phase == .active, upstream.take())
    }
    _ = subscription
    return active
  }
}
