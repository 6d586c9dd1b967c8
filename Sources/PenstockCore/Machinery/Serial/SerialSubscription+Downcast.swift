// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension SerialSubscription {
  /// Asserts, in builds with the define `PENSTOCK_CHECKS`, that the calling thread owns the loop.
  @inlinable @inline(__always)
  package final func assertOwned() { queue.assertOwned() }

  /// Returns a subscription as an instance of this class.
  ///
  /// For the closures of ``TypedWork``: each is called only with the subscription that it was made for, so its class is
  /// known and not checked.
  @inlinable
  package static func downcast(_ subscription: SerialSubscription) -> Self {
    unsafeDowncast(subscription, to: Self.self)
  }
}
