// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What a subscriber at the end of a chain calls, which are closures or an object, and its ``SinkHandle``.
///
/// A delivery uses the target as it is, without a lock and without counting references, where only the chain refers to the
/// subscriber: then the target lives as long as the subscriber, and whoever delivers keeps that. It need not be the source,
/// or all on one thread. Otherwise, where a user has the subscriber, or a publisher of a user's keeps it, the end of the
/// stream releases the target, and so each delivery copies it under the lock.
@usableFromInline
package struct SinkStorage<Target>: ~Copyable {
  @usableFromInline package let handle = SinkHandle()
  /// Whether nobody but the chain refers to the subscriber.
  @usableFromInline internal let belongsToChain: Bool
  /// Not changed while the handle's phase is open, and otherwise under its lock.
  ///
  /// Behind a pointer: to change a variable of the subscriber's, its access would have to exclude the reads of other threads.
  @usableFromInline internal let place: UnsafeMutablePointer<Target?>

  @inlinable
  package init(_ target: Target, belongsToChain: Bool) {
    place = .allocate(capacity: 1)
    place.initialize(to: target)
    self.belongsToChain = belongsToChain
  }

  @inlinable
  deinit {
    place.deinitialize(count: 1)
    place.deallocate()
  }

  /// Takes the first subscription; see ``SinkHandle/attach(_:opens:)``.
  @inlinable
  package func attach(_ subscription: any Subscription) -> Bool {
    handle.attach(subscription, opens: belongsToChain)
  }

  /// A copy of the target, until it is released.
  @inlinable
  package var copy: Target? { handle.subscription.withLock { _ in handle.phase == .closed ? nil : place.pointee } }

  /// Calls a closure with the target, unless the stream is over.
  ///
  /// - Parameter mustBeSubscribed: Whether the closure is not called before the subscription, either.
  @discardableResult @inlinable @inline(__always)
  package func deliver<Result>(mustBeSubscribed: Bool = false, _ body: (Target) -> Result) -> Result? {
    if handle.phase != .open { return mustBeSubscribed && !handle.isSubscribed ? nil : copy.map(body) }
    // The first bytes of an optional that is not `nil` are the value.
    let target = alias(Target.self, at: place)
    let result = body(target)
    forget(target)
    return result
  }

  /// Closes the subscriber, and drops the subscription without cancelling it.
  ///
  /// - Returns: On the first call, the target, so that the caller can use it once more; otherwise `nil`.
  @inlinable
  package func close() -> Target? {
    let (target, subscription) = handle.close { $0 == .open ? place.pointee : place.pointee.take() }
    // Released only here, after the lock.
    withExtendedLifetime(subscription) {}
    return target
  }

  /// Closes the subscriber, and cancels the subscription.
  @inlinable
  package func cancel() {
    let (target, subscription) = handle.close { $0 == .open ? nil : place.pointee.take() }
    withExtendedLifetime(target) {}
    subscription?.cancel()
  }

  /// A cancellable for the subscriber, unless the stream is over.
  @inlinable
  package func makeCancellable(of subscriber: _CancellableObject) -> AnyCancellable {
    switch handle.phase {
    case .closed: AnyCancellable(target: nil)
    case .open: AnyCancellable(target: handle)
    // A publisher of a user's may keep the subscriber: then its own cancel releases the target.
    case .counted: AnyCancellable(target: !belongsToChain || handle.isSubscribed ? subscriber : handle)
    }
  }
}
