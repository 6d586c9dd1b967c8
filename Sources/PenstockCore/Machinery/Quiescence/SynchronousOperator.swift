// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A synchronous subscriber that delivers to another one.
///
/// Conform a type only if it delivers only while it receives, or if its subscription's `observeQuiescence(_:)` accounts
/// for all of its other deliveries; see ``Subscriber/_isSynchronous``.
@usableFromInline
internal protocol SynchronousOperator: Subscriber {
  associatedtype Downstream: Subscriber

  var downstream: Downstream { get }
}

extension SynchronousOperator {
  @inlinable @inline(__always)
  public var _isSynchronous: Bool { downstream._isSynchronous }

  @inlinable @inline(__always)
  public static var _place: _SubscriberPlace { Downstream._place.above }
}

/// A subscriber at the end of a chain: it has no downstream.
@usableFromInline
package protocol EndSubscriber: Subscriber {}

extension EndSubscriber {
  @inlinable @inline(__always)
  public static var _place: _SubscriberPlace { .end }
}
