// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber that forwards to another one until it releases it.
///
/// `throttle` releases its subscriber at the end, as in Combine. The other scheduled operators keep theirs in a constant,
/// and so need not retain it for each delivery.
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
    downstream?.receive(input) ?? .none
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
