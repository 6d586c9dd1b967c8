// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// One upstream subscription of a ``ReplayFanOut`` or a ``ShareFanOut``.
@usableFromInline
internal final class SharedUpstream {
  @usableFromInline internal let slot = SubscriptionSlot()
  /// The number of the subscription.
  @usableFromInline internal let generation: UInt

  @inlinable
  internal init(generation: UInt) { self.generation = generation }
}
