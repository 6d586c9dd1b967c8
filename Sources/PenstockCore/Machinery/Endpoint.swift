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
    /// The subscription, if it is one of the library's: the usual case, and cheaper to handle than an existential.
    @usableFromInline internal var core: CoreSubscription?
    /// The subscription, if it is anybody else's.
    @usableFromInline internal var foreign: (any Subscription)?

    /// Whether there is either.
    @usableFromInline internal var isSubscribed = false

    /// Whether the source has promised to tell of the end of its deliveries, and has not told: until then a delivery may
    /// be using what is kept, whatever has become of the gate.
    @usableFromInline internal var isPromised = false

    @inlinable
    internal init(keeping kept: AnyObject) { self.kept = kept }
  }

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

  /// Whether a subscription is in place.
  @usableFromInline
  package var isSubscribed: Bool { state.withLock { $0.isSubscribed } }

  /// Takes the first subscription, and asks it for everything.
  ///
  /// Cancels any other, and one that comes too late.
  @usableFromInline
  package borrowing func receive(_ subscription: any Subscription, for owner: some IdleObserver) {
    // The caller keeps the subscription meanwhile.
    let core = subscription.uncountedCore
    let accepted = state.withLock { state in
      if state.isSubscribed {
        // A publisher that subscribes twice may deliver twice, so nothing is known of its deliveries any more.
        _ = atomicGate.compareExchange(expected: .open, desired: .locked, ordering: .relaxed)
        return false
      }
      guard gate != .closed else { return false }
      if let core { state.core = core.takeUnretainedValue() } else { state.foreign = subscription }
      state.isSubscribed = true
      // Before it is certain, since the source may tell at any moment from then on.
      state.isPromised = core != nil
      return true
    }
    guard accepted else { return subscription.cancel() }
    guard let core else { return subscription.request(.unlimited) }
    core._withUnsafeGuaranteedRef { core in
      let isPromised = core.observeIdle(owner)
      let kept = state.withLock { state -> AnyObject? in
        if !isPromised { state.isPromised = false }
        if state.isPromised {
          // Not if a cancel has closed it by now.
          _ = atomicGate.compareExchange(expected: .locked, desired: .open, ordering: .relaxed)
          return nil
        }
        return gate == .closed ? state.kept.take() : nil
      }
      _ = kept
      core.request(.unlimited)
    }
  }

  /// Closes the gate, and drops the subscription without cancelling it.
  ///
  /// - Returns: The first time, what is kept, for the last thing to be done with it.
  @usableFromInline
  package borrowing func close() -> AnyObject? {
    var core: CoreSubscription?
    var foreign: (any Subscription)?
    let kept = state.withLock { state -> AnyObject? in
      let before = atomicGate.exchange(.closed, ordering: .relaxed)
      guard before != .closed else { return nil }
      core = state.core.take()
      foreign = state.foreign.take()
      state.isSubscribed = false
      // A value may be using what is kept: the source says when it can go.
      return state.isPromised ? state.kept : state.kept.take()
    }
    // Freed only here, outside of the lock.
    withExtendedLifetime((core, foreign)) {}
    return kept
  }

  /// Closes the gate, frees what is kept, and cancels the subscription.
  @usableFromInline
  package borrowing func cancel() {
    // What has ended by itself is often cancelled afterwards.
    if gate == .closed { return }
    var kept: AnyObject?
    var core: CoreSubscription?
    var foreign: (any Subscription)?
    state.withLock { state in
      let before = atomicGate.exchange(.closed, ordering: .relaxed)
      guard before != .closed else { return }
      if !state.isPromised { kept = state.kept.take() }
      core = state.core.take()
      foreign = state.foreign.take()
      state.isSubscribed = false
    }
    _ = consume kept
    core?.cancel()
    foreign?.cancel()
  }

  @usableFromInline
  package borrowing func deliveriesEnded() {
    let kept = state.withLock { state -> AnyObject? in
      state.isPromised = false
      guard gate == .closed else {
        // The source is done, but the stream is not: whatever still comes has to take the lock.
        _ = atomicGate.compareExchange(expected: .open, desired: .locked, ordering: .relaxed)
        return nil
      }
      return state.kept.take()
    }
    _ = kept
  }
}

@available(*, unavailable)
extension Endpoint: Sendable {}

@available(*, unavailable)
extension Endpoint.State: Sendable {}
