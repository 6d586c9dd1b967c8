// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber that forwards to another one until it releases it.
///
/// For operators whose blocks wait on a scheduler for long: a block keeps its operator, but what is downstream is released as
/// soon as the stream is over.
@usableFromInline
internal final class ReleasableSubscriber<Downstream: Subscriber>: Subscriber {
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var downstream: Downstream?

  @inlinable @inline(__always)
  internal static var _place: _SubscriberPlace { Downstream._place }

  @inlinable
  internal init(_ downstream: Downstream) {
    self.downstream = downstream
  }

  @inlinable
  internal func receive(subscription: any Subscription) {
    downstream?.receive(subscription: subscription)
  }

  @inlinable
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if downstream == nil { return .none }
    // Not retained for the delivery: it is not released before that has returned.
    let downstream = _withUnprotectedUnsafeMutablePointer(to: &downstream) { alias(Downstream.self, at: $0) }
    let more = downstream.receive(input)
    forget(downstream)
    return more
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream?.receive(completion: completion)
  }

  /// Releases the subscriber; called when no delivery is running and none will start.
  @inlinable
  internal func release() {
    dispose(of: displace(&downstream, with: nil))
  }
}
