// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber in a chain that delivers to another one, and is attached at once after it.
///
/// A subscriber that is attached later, or whose type does not name its downstream, has another ``_SubscriberPlace``.
@usableFromInline
internal protocol LinkSubscriber: Subscriber {
  associatedtype Downstream: Subscriber
}

extension LinkSubscriber {
  @inlinable @inline(__always)
  public static var _place: _SubscriberPlace { Downstream._place.upstream }
}

/// A subscriber at the end of a chain: it has no downstream.
@usableFromInline
package protocol EndSubscriber: Subscriber {}

extension EndSubscriber {
  @inlinable @inline(__always)
  public static var _place: _SubscriberPlace { .end }
}
