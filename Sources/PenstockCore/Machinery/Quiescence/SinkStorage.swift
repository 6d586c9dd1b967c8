// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The state of a subscriber that ends a chain with user code: its subscription, and the target that its deliveries use,
/// which are closures or an object.
///
/// A delivery reads ``access`` once, with one relaxed load. While the access is open, it uses the target without a lock
/// and without counting references: the source has promised to report when its deliveries have ended, and the target is
/// not freed before that. With a source that cannot promise this, such as one written by a user, the access stays
/// locked: then each delivery takes a reference under the lock.
///
/// ``SinkStorage`` adds the type of the target.
@usableFromInline
package struct UntypedSinkStorage: ~Copyable {
  /// How a delivery may access the target.
  @usableFromInline
  package enum Access: UInt8, AtomicCellValue, Sendable {
    /// The source promises nothing: take a reference under the lock.
    case locked
    /// The source reports its quiescence: use the target without a reference.
    case open
    /// The stream is over.
    case closed
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var target: AnyObject?
    @usableFromInline internal var subscription: BaseSubscription?

    /// Whether the source has promised to report its quiescence and has not yet done so.
    ///
    /// Until then a delivery may be using the target, whatever the access is now.
    @usableFromInline internal var isPromised = false

    /// Whether the source has reported its quiescence.
    @usableFromInline internal var hasEnded = false

    @inlinable
    internal init(_ target: AnyObject) { self.target = target }
  }

  /// The access, written only under the lock, so plain stores suffice.
  ///
  /// Relaxed loads suffice, too: a delivery that still sees an open access is safe, because nothing is freed before the
  /// source is quiescent.
  @usableFromInline internal let atomicAccess = AtomicCell(Access.locked)
  @usableFromInline internal let state: Guarded<State>

  @inlinable
  internal init(_ target: AnyObject) {
    state = Guarded(State(target))
  }

  @inlinable
  package var access: Access { atomicAccess.load(ordering: .relaxed) }

  /// The target, until it is freed.
  @usableFromInline
  internal var target: AnyObject? { state.withLock { $0.target } }

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
    let core = subscription.wrapped
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
  /// - Returns: On the first call, the target, so that the caller can use it once more; otherwise `nil`.
  @discardableResult @usableFromInline
  package borrowing func close() -> AnyObject? {
    var subscription: BaseSubscription?
    let target = state.withLock { state -> AnyObject? in
      guard access != .closed else { return nil }
      atomicAccess.store(.closed, ordering: .relaxed)
      subscription = state.subscription.take()
      // A delivery may still be using the target: it is freed when the source reports quiescence.
      return state.isPromised ? state.target : state.target.take()
    }
    // Released only here, after the lock.
    withExtendedLifetime(subscription) {}
    return target
  }

  /// Closes the access, frees the target, and cancels the subscription.
  @usableFromInline
  package borrowing func cancel() {
    // A stream that has completed is often cancelled afterwards.
    if access == .closed { return }
    var target: AnyObject?
    var subscription: BaseSubscription?
    state.withLock { state in
      guard access != .closed else { return }
      atomicAccess.store(.closed, ordering: .relaxed)
      if !state.isPromised { target = state.target.take() }
      subscription = state.subscription.take()
    }
    _ = consume target
    subscription?.cancel()
  }

  /// Called when the source is quiescent.
  @usableFromInline
  package borrowing func deliveriesEnded() {
    let target = state.withLock { state -> AnyObject? in
      state.hasEnded = true
      state.isPromised = false
      guard access == .closed else {
        // The source is quiescent, but the stream is not over: further deliveries have to take the lock.
        atomicAccess.store(.locked, ordering: .relaxed)
        return nil
      }
      return state.target.take()
    }
    _ = target
  }
}

/// The state of a subscriber that ends a chain with user code, for a target of a known type.
@usableFromInline
package struct SinkStorage<Target: AnyObject>: ~Copyable {
  @usableFromInline package let untyped: UntypedSinkStorage
  @usableFromInline internal let unretained: Unmanaged<Target>

  /// - Parameter target: The object to free when the stream is over and no delivery is running.
  @inlinable
  package init(_ target: Target) {
    untyped = UntypedSinkStorage(target)
    unretained = .passUnretained(target)
  }

  @inlinable
  internal static func typed(_ target: AnyObject) -> Target { unsafeDowncast(target, to: Target.self) }

  /// The target, until it is freed.
  @inlinable
  package var target: Target? { untyped.target.map(Self.typed) }

  /// Calls a closure with the target, unless the stream is over.
  ///
  /// - Parameter mustBeSubscribed: Whether the closure is not called before the subscription, either.
  @discardableResult @inlinable @inline(__always)
  package borrowing func deliver<Result>(mustBeSubscribed: Bool = false, _ body: (Target) -> Result) -> Result? {
    switch untyped.access {
    case .open: return unretained._withUnsafeGuaranteedRef { body($0) }
    case .locked: return mustBeSubscribed && !untyped.isSubscribed ? nil : target.map(body)
    case .closed: return nil
    }
  }

  /// Closes the access, and drops the subscription without cancelling it.
  ///
  /// - Returns: On the first call, the target, so that the caller can use it once more; otherwise `nil`.
  @inlinable
  package borrowing func close() -> Target? { untyped.close().map(Self.typed) }
}
