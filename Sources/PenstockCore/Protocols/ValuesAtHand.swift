// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Whether a publisher has its values at hand, and hands them over to operators that ask; see ``_FusionTarget``.
@frozen
public enum _ValuesAtHand: Sendable {
  /// It is subscribed to, or may keep a subscriber that does not end its stream itself.
  case never
  /// It is a subject, or an operator on one: it keeps any subscriber to whose subscription nobody else has access.
  case kept
  /// It may, as it finds out when it is asked.
  case perhaps
  /// It has, and nobody can see when it is subscribed to.
  case always

  /// Whether there may be something to hand over.
  @inlinable @inline(__always)
  package var arePossible: Bool { self == .perhaps || self == .always }

  /// The same of an operator that may end the stream itself.
  @inlinable @inline(__always)
  package var managed: _ValuesAtHand { self == .kept ? .kept : .never }
}
