// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The state of a subscriber that ends a chain with user code: its subscription, and when the user's closures are
/// freed.
///
/// A subscriber reads ``access`` once per value, with one relaxed load. While the access is open, it uses what the
/// storage keeps without a lock and without counting references: the source has promised to report when its deliveries
/// have ended, and nothing is freed before that. A source that cannot promise this, such as one written by a user,
/// keeps the access locked: then each value takes a reference under the lock.
@usableFromInline
package struct SinkStorage: ~Copyable {
  /// How a delivery may access what the storage keeps.
  @usableFromInline
  package enum Access: UInt8, AtomicCellValue, Sendable {
    /// The source promises nothing: take a reference under the lock.
    case locked
    /// The source reports its quiescence: use the object without a reference.
    case open
    /// The stream is over.
    case closed
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var kept: AnyObject?
    /// The subscription; a foreign one is wrapped in a class, since existentials are costly to handle.
    @usableFromInline internal var subscription: BaseSubscription?

    /// Whether the source has promised to report its quiescence and has not yet done so.
    ///
    /// Until then a delivery may be using what is kept, whatever the state of the access.
    @usableFromInline internal var isPromised = false

    /// Whether the source has reported its quiescence.
    @usableFromInline internal var hasEnded = false

    @inlinable
    internal init(keeping kept: AnyObject) { self.kept = kept }
  }

  /// The access, written only under the lock, so plain stores suffice.
  ///
  /// Relaxed loads suffice, too: a delivery that still sees an open access is safe, because nothing is freed before the
  /// source is quiescent.
  @usableFromInline internal let atomicAccess = AtomicCell(Access.locked)
  @usableFromInline internal let state: Guarded<State>

  /// - Parameter kept: The object to free when the stream is over and no delivery is running.
  @inlinable
  package init(keeping kept: AnyObject) {
    state = Guarded(State(keeping: kept))
  }

  @inlinable
  package var access: Access { atomicAccess.load(ordering: .relaxed) }

  /// The object that the storage keeps, until it is freed.
  @usableFromInline
  package var kept: AnyObject? { state.withLock { $0.kept } }

  /// The object that the storage keeps, for callers that know its type.
  @inlinable
  package borrowing func kept<Kept: AnyObject>(as type: Kept.Type) -> Kept? {
    kept.map { unsafeDowncast($0, to: type) }
  }

  /// Whether a subscription is in place.
  @usableFromInline
  package var isSubscribed: Bool { state.withLock { $0.subscription != nil } }

  /// Takes the first subscription, and requests unlimited demand.
  ///
  /// Cancels any further subscription, and one that comes after the end.
  @usableFromInline
  package borrowing func receive(_ subscription: any Subscription, for owner: some QuiescenceObserver) {
    if attach(subscription, for: owner) { subscription.request(.unlimited) }
  }

  /// Takes the first subscription.
  ///
  /// Cancels any further subscription, and one that comes after the end.
  ///
  /// - Returns: Whether the subscription has been taken, so that the caller may request values.
  @usableFromInline
  package borrowing func attach(_ subscription: any Subscription, for owner: some QuiescenceObserver) -> Bool {
    let core = subscription.base ?? ForeignSubscription(subscription)
    let accepted = state.withLock { state in
      if state.subscription != nil {
        // A publisher that subscribes twice may deliver twice, so the promise of the first subscription is not enough.
        atomicAccess.store(.locked, ordering: .relaxed)
        return false
      }
      guard access != .closed else { return false }
      state.subscription = core
      return true
    }
    guard accepted else {
      core.cancel()
      return false
    }
    if core.observeQuiescence(owner) {
      state.withLock { state in
        // The source may have ended and a cancel may have happened meanwhile; no delivery has seen an open access by
        // then.
        guard !state.hasEnded, access == .locked else { return }
        state.isPromised = true
        atomicAccess.store(.open, ordering: .relaxed)
      }
    }
    return true
  }

  /// Requests values upstream, if there is a subscription.
  @usableFromInline
  package borrowing func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.subscription }?.request(demand)
  }

  /// Closes the access, and drops the subscription without cancelling it.
  ///
  /// - Returns: On the first call, the object that is kept, so that the caller can use it once more; otherwise `nil`.
  @inlinable
  package borrowing func close<Kept: AnyObject>(_ type: Kept.Type) -> Kept? {
    close().map { unsafeDowncast($0, to: type) }
  }

  /// The same, for callers that ignore the object or do not know its type.
  @discardableResult @usableFromInline
  package borrowing func close() -> AnyObject? {
    var subscription: BaseSubscription?
    let kept = state.withLock { state -> AnyObject? in
      guard access != .closed else { return nil }
      atomicAccess.store(.closed, ordering: .relaxed)
      subscription = state.subscription.take()
      // A delivery may still be using the object: it is freed when the source reports quiescence.
      return state.isPromised ? state.kept : state.kept.take()
    }
    // Released only here, after the lock.
    withExtendedLifetime(subscription) {}
    return kept
  }

  /// Closes the access, frees what is kept, and cancels the subscription.
  @usableFromInline
  package borrowing func cancel() {
    // A stream that has completed is often cancelled afterwards.
    if access == .closed { return }
    var kept: AnyObject?
    var subscription: BaseSubscription?
    state.withLock { state in
      guard access != .closed else { return }
      atomicAccess.store(.closed, ordering: .relaxed)
      if !state.isPromised { kept = state.kept.take() }
      subscription = state.subscription.take()
    }
    _ = consume kept
    subscription?.cancel()
  }

  @usableFromInline
  package borrowing func deliveriesEnded() {
    let kept = state.withLock { state -> AnyObject? in
      state.hasEnded = true
      state.isPromised = false
      guard access == .closed else {
        // The source is quiescent, but the stream is not over: further deliveries have to take the lock.
        atomicAccess.store(.locked, ordering: .relaxed)
        return nil
      }
      return state.kept.take()
    }
    _ = kept
  }
}

/// A foreign subscription, wrapped as one of the library's.
///
/// It cannot report quiescence.
private final class ForeignSubscription: BaseSubscription {
  private let base: any Subscription

  init(_ base: any Subscription) { self.base = base }

  override func request(_ demand: Subscribers.Demand) { base.request(demand) }

  override func cancel() { base.cancel() }
}
