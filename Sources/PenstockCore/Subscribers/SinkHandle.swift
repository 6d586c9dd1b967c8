// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of a subscriber at the end of a chain, as an object of its own.
///
/// The cancellable of a sink refers to this object, not to the sink, so that only the chain keeps the closures.
@usableFromInline
package final class SinkHandle: _CancellableObject {
  @usableFromInline package let slot = SubscriptionSlot()

  @inlinable
  package override init() {}

  @usableFromInline
  package override func cancel() { slot.cancel(early: true) }
}
