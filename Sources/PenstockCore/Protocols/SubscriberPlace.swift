// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Where a subscriber stands in a chain of operators.
///
/// A chain is attached in one go. So two things are done once, where a chain begins, and not again for each link.
///
/// - It is asked whether the chain is shown to introspections: what shows a subscription is more code than what subscribes. If
///   it is shown, a tap is downstream of the next operator, which for the library is another beginning; and so on for all of
///   the chain.
/// - A function of its own attaches the rest of the chain. All of a chain is inlined into one function, and together with
///   what makes the chain and its subscriber that is more than the optimiser's analyses of lifetimes can take: the compiler
///   stops. A function for each link is no way out, since the specialiser gives up after a few of them.
@frozen
public enum _SubscriberPlace: Sendable {
  /// It is not the library's, or a tap, or erased.
  case foreign
  /// It is an end of a chain, one of the library's: what makes it attaches it in a function of its own.
  case end
  /// It is an operator's, directly upstream of the end of the chain, or of an operator that has its downstream in a port.
  case opening
  /// It is an operator's that may be attached at any time, or next to others.
  case first
  /// It is an operator's that is attached at once after the one downstream of it.
  case link

  /// The place of an operator upstream of this one, if it is attached at once.
  @inlinable
  package var upstream: _SubscriberPlace {
    switch self {
    case .foreign, .first: .opening
    case .end, .opening, .link: .link
    }
  }

  /// Whether a function of its own attaches a subscriber in this place.
  @inlinable
  package var isApart: Bool {
    switch self {
    case .end, .opening, .first: true
    case .foreign, .link: false
    }
  }
}
