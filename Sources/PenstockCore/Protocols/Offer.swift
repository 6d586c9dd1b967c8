// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What a publisher can do for the code that is about to subscribe to it; see ``_FusionTarget``.
@frozen
public enum _Offer: Sendable {
  /// Nothing: it is subscribed to.
  case nothing
  /// It keeps the end of a chain in its own subscription.
  case end
  /// It is a subject, or an operator on one: it keeps a whole chain, also one that ends its stream itself.
  case chain
  /// It may hand its values over, as it finds out when it is asked.
  case maybeValues
  /// It hands its values over, and nobody can see when it is subscribed to.
  case values

  /// Whether there may be values to hand over.
  @inlinable @inline(__always)
  package var hasValues: Bool { self == .maybeValues || self == .values }
}
