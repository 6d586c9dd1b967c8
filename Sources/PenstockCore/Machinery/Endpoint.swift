// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The end of a chain that runs something of the user's: the subscription, and the moment when that something is freed.
///
/// A subscriber reads ``gate`` for each value, by one relaxed load. While the gate is open it uses what it keeps
/// without a lock and without counting references: the source has promised to tell when its deliveries have ended, and
/// nothing is freed before. Where the source cannot promise that, as one written by a user cannot, each value takes a
/// reference under the lock.
@usableFromInline
package struct Endpoint: ~Copyable {
  /// How values are let in.
  @usableFromInline
  package enum Gate: UInt8, AtomicRepresentable, Sendable {
    /// Nothing is known of the source: take a reference under the lock.
    case locked
    /// The source tells when it has ended: use what there is.
    case open
    /// The stream is over.
    case closed
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var kept: AnyObject?
    /// The subscription; one of somebody else's in a wrapper, since existentials are costly to handle.
    @usableFromInline internal var subscription: CoreSubscription?

    /// Whether the source has promised to tell of the end of its deliveries, and has not told: until then a delivery may
    /// be using what is kept, whatever has become of the gate.
    @usableFromInline internal var isPromised = false

    /// Whether the source has told.
    @usableFromInline internal var hasEnded = false

    @inlinable
    internal init(keeping kept: AnyObject) { self.kept = kept }
  }

  /// Written under the lock alone, so no exchange is needed.
  @usableFromInline internal let atomicGate = Atomic(Gate.locked)
  @usableFromInline internal let state: Guarded<State>

  /// - Parameter kept: What to free when the stream is over and no delivery is running.
  @inlinable
  package init(keeping kept: AnyObject) {
    state = Guarded(State(keeping: kept))
  }

  @inlinable
  package var gate: Gate { atomicGate.load(ordering: .relaxed) }

  /// What is kept, until it is freed.
  @usableFromInline
  package var kept: AnyObject? { state.withLock { $0.kept } }

  /// The same, for those who know its type.
  @inlinable
  package borrowing func kept<Kept: AnyObject>(as type: Kept.Type) -> Kept? {
    kept.map { unsafeDowncast($0, to: type) }
  }

  /// Whether a subscription is in place.
  @usableFromInline
  package var isSubscribed: Bool { state.withLock { $0.subscription != nil } }

  /// Takes the first subscription, and asks it for everything.
  ///
  /// Cancels any other, and one that comes too late.
  @usableFromInline
  package borrowing func receive(_ subscription: any Subscription, for owner: some IdleObserver) {
    if attach(subscription, for: owner) { subscription.request(.unlimited) }
  }

  /// Takes the first subscription.
  ///
  /// Cancels any other, and one that comes too late.
  ///
  /// - Returns: Whether the subscription has been taken, and is to be asked for values.
  @usableFromInline
  package borrowing func attach(_ subscription: any Subscription, for owner: some IdleObserver) -> Bool {
    let core = subscription.core ?? ForeignSubscription(subscription)
    let accepted = state.withLock { state in
      if state.subscription != nil {
        // A publisher that subscribes twice may deliver twice, so nothing is known of its deliveries any more.
        atomicGate.store(.locked, ordering: .relaxed)
        return false
      }
      guard gate != .closed else { return false }
      state.subscription = core
      return true
    }
    guard accepted else {
      core.cancel()
      return false
    }
    if core.observeIdle(owner) {
      state.withLock { state in
        // The source may have told already, and a cancel may have come: nothing has used an open gate by then.
        guard !state.hasEnded, gate == .locked else { return }
        state.isPromised = true
        atomicGate.store(.open, ordering: .relaxed)
      }
    }
    return true
  }

  /// Asks upstream for more, if it is there.
  @usableFromInline
  package borrowing func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.subscription }?.request(demand)
  }

  /// Closes the gate, and drops the subscription without cancelling it.
  ///
  /// - Returns: The first time, what is kept, for the last thing to be done with it.
  @inlinable
  package borrowing func close<Kept: AnyObject>(_ type: Kept.Type) -> Kept? {
    close().map { unsafeDowncast($0, to: type) }
  }

  /// The same, for those who do not care for what is kept, or for its type.
  @discardableResult @usableFromInline
  package borrowing func close() -> AnyObject? {
    var subscription: CoreSubscription?
    let kept = state.withLock { state -> AnyObject? in
      guard gate != .closed else { return nil }
      atomicGate.store(.closed, ordering: .relaxed)
      subscription = state.subscription.take()
      // A value may be using what is kept: the source says when it can go.
      return state.isPromised ? state.kept : state.kept.take()
    }
    // Freed only here, outside of the lock.
    withExtendedLifetime(subscription) {}
    return kept
  }

  /// Closes the gate, frees what is kept, and cancels the subscription.
  @usableFromInline
  package borrowing func cancel() {
    // What has ended by itself is often cancelled afterwards.
    if gate == .closed { return }
    var kept: AnyObject?
    var subscription: CoreSubscription?
    state.withLock { state in
      guard gate != .closed else { return }
      atomicGate.store(.closed, ordering: .relaxed)
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
      guard gate == .closed else {
        // The source is done, but the stream is not: whatever still comes has to take the lock.
        atomicGate.store(.locked, ordering: .relaxed)
        return nil
      }
      return state.kept.take()
    }
    _ = kept
  }
}

/// Somebody else's subscription as one of the library's.
///
/// It cannot tell when deliveries have ended.
private final class ForeignSubscription: CoreSubscription {
  private let base: any Subscription

  init(_ base: any Subscription) { self.base = base }

  override func request(_ demand: Subscribers.Demand) { base.request(demand) }

  override func cancel() { base.cancel() }
}
