// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Where a subscriber stands in a chain of operators.
///
/// A chain is attached in one go. So whether it is shown to introspections is asked once, where it begins, and not again
/// for each link: what shows a subscription is more code than what subscribes. If it is shown, a tap is downstream of the
/// next operator, which for the library is another beginning; and so on for all of the chain.
@frozen
public enum _SubscriberPlace: Sendable {
  /// It is not the library's, or a tap, or erased.
  case foreign
  /// It is an end of a chain, or an operator's that may be attached at any time.
  case first
  /// It is an operator's that is attached at once after the one downstream of it.
  case link

  /// The place of an operator upstream of this one, if it is attached at once.
  @inlinable
  package var above: _SubscriberPlace {
    switch self {
    case .foreign: .first
    case .first, .link: .link
    }
  }
}
