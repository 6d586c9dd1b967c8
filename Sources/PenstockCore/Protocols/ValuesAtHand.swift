// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Whether a publisher has its values at hand, and hands them over to operators that ask; see ``_FusionTarget``.
@frozen
public enum _ValuesAtHand: Sendable {
  /// It is subscribed to, or keeps a subscriber.
  case never
  /// It may, as it finds out when it is asked.
  case perhaps
  /// It has, and nobody can see when it is subscribed to.
  case always
}
