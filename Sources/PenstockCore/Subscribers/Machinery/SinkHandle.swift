// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The part of a sink that does not depend on its closures: its subscription, and how far its stream has come.
///
/// The cancellable of a sink refers to this object, not to the sink, so that only the chain keeps the closures.
@usableFromInline
package final class SinkHandle: _CancellableObject {
  @usableFromInline
  package enum Phase: UInt8, AtomicCellValue, Sendable {
    /// Each delivery copies the closures under the lock.
    case counted
    /// The chain keeps the closures: a delivery uses them as they are.
    case open
    /// The stream is over.
    case closed
  }

  /// The phase, written only under the lock, so plain stores suffice.
  ///
  /// Relaxed loads suffice, too: a delivery that still sees an open phase runs beside what has closed it.
  @usableFromInline internal let atomicPhase = AtomicCell(Phase.counted)
  @usableFromInline internal let subscription = Guarded<BaseSubscription?>(nil)

  @inlinable
  internal override init() {}

  @inlinable @inline(__always)
  package var phase: Phase { atomicPhase.load(ordering: .relaxed) }

  /// Whether a subscription is in place.
  @usableFromInline
  package var isSubscribed: Bool { subscription.withLock { $0 != nil } }

  /// Takes the first subscription; cancels any other, and one that comes after the end.
  ///
  /// - Parameter opens: Whether nobody but the chain refers to the sink. A publisher of the library's drops its subscriber
  ///   as soon as the stream is over, and the closures with it; one of a user's may keep it.
  /// - Returns: Whether the subscription has been taken, so that the caller may request values.
  @usableFromInline
  package func attach(_ subscription: any Subscription, opens: Bool) -> Bool {
    let opens = opens && subscription.base != nil
    let base = subscription.wrapped
    let isTaken = self.subscription.withLock { subscription in
      guard subscription == nil, phase != .closed else { return false }
      subscription = base
      if opens { atomicPhase.store(.open, ordering: .relaxed) }
      return true
    }
    if !isTaken { base.cancel() }
    return isTaken
  }

  /// Requests values upstream, if there is a subscription.
  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    subscription.withLock { $0 }?.request(demand)
  }

  /// Closes the sink; the caller cancels or drops the subscription.
  ///
  /// - Parameter body: Called under the lock, if the sink was not closed, with the phase that it was in.
  @inlinable
  internal func close<Result>(_ body: (Phase) -> Result?) -> (result: Result?, subscription: BaseSubscription?) {
    if phase == .closed { return (nil, nil) }
    return subscription.withLock { subscription in
      let phase = phase
      guard phase != .closed else { return (nil, nil) }
      atomicPhase.store(.closed, ordering: .relaxed)
      return (body(phase), subscription.take())
    }
  }

  /// Closes the sink, and cancels the subscription.
  @usableFromInline
  package override func cancel() {
    close { _ in Never?.none }.subscription?.cancel()
  }
}
