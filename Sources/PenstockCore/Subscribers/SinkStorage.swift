// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The storage of the target that a subscriber at the end of a chain calls: closures or an object, for as long as they
/// are to live.
///
/// A delivery uses this target directly, without a lock and without counting references, where only the chain refers to
/// the subscriber: then the subscriber keeps the target in a variable, and the publisher that delivers, be it the
/// source or a user's, keeps the subscriber, on any thread. Where a user has the subscriber, the end of the stream
/// releases the target, and so each delivery copies it under a lock.
@usableFromInline
internal struct SinkStorage<Target>: ~Copyable {
  @usableFromInline internal let handle = SinkHandle()
  /// The target, if the end of the stream releases it; then it is not in the subscriber's variable.
  @usableFromInline internal let lent: LentTarget<Target>?

  @_alwaysEmitIntoClient
  internal init(_ lent: LentTarget<Target>?) { self.lent = lent }

  /// The phase of the stream.
  @_alwaysEmitIntoClient @inline(__always)
  internal var phase: SubscriptionSlot.Phase { handle.slot.phase }

  /// Returns a copy of the target, until the end of the stream.
  ///
  /// - Parameter kept: The subscriber's variable.
  @inlinable
  internal func copy(or kept: Target?) -> Target? { phase == .terminal ? nil : kept ?? lent?.copy }

  /// Calls a closure with the target, unless it has been released.
  ///
  /// - Parameter kept: The subscriber's variable.
  @inlinable @inline(__always)
  internal func call(_ kept: inout Target?, _ body: (Target) -> Void) {
    if lent != nil { return callLent(body) }
    // The first bytes of an optional that is not `nil` are the value.
    let target = _withUnprotectedUnsafeMutablePointer(to: &kept) { alias(Target.self, at: $0) }
    body(target)
    forget(target)
  }

  /// A function of its own, whose registers would otherwise be saved on every path.
  @inlinable @inline(never)
  internal func callLent(_ body: (Target) -> Void) { lent?.copy.map(body) }

  /// Ends the stream, and drops the subscription without cancelling it.
  ///
  /// - Parameter kept: The subscriber's variable.
  /// - Returns: On the first call, the target, so that the caller can use it once more; otherwise `nil`.
  @inlinable
  internal func finish(_ kept: Target?) -> Target? {
    let (ended, subscription) = handle.slot.end(early: true)
    // Released only here, after the lock.
    withExtendedLifetime(subscription) {}
    return ended ? kept ?? lent?.take() : nil
  }

  /// Ends the stream, and cancels the subscription.
  @_alwaysEmitIntoClient
  internal func cancel() {
    let (ended, subscription) = handle.slot.end(early: true)
    if ended { lent?.release() }
    subscription?.cancel()
  }

  /// Returns a cancellable for the subscriber, unless the stream is over.
  @inlinable
  internal func makeCancellable(of subscriber: _CancellableObject) -> AnyCancellable {
    if phase == .terminal { return AnyCancellable(target: nil) }
    return AnyCancellable(target: lent == nil ? handle : subscriber)
  }
}

/// A target that the end of a stream releases.
///
/// Its code is compiled in the client: specialised, a copy takes a lock and a count; otherwise it looks types up, which
/// takes ten times as long.
@usableFromInline
internal final class LentTarget<Target> {
  @usableFromInline internal let target: Guarded<Target?>

  @_alwaysEmitIntoClient
  internal init(_ target: Target) { self.target = Guarded(target) }

  @_alwaysEmitIntoClient
  internal var copy: Target? { target.withLock { $0 } }

  @_alwaysEmitIntoClient
  internal func take() -> Target? { target.withLock { $0.take() } }

  @inlinable
  internal func release() { withExtendedLifetime(take()) {} }
}
