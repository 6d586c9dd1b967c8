// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The operators between one object of a chain and the next, which keep nothing and so are no objects.
///
/// Read from the type of the subscriber that the upstream object keeps, not from the subscriber, which belongs to the
/// thread that delivers.
@usableFromInline
package struct PassedLinks: Sendable {
  /// The names, in the order in which values pass the operators.
  package var names: [String] = []
  /// The subscriber that follows, if it is no object of the library's: the end of the chain, or a subscriber of the
  /// user's.
  package var end: String?
  /// Whether the subscriber that follows is behind an erasure, so that its type is not known here.
  package var isErased = false

  package init() {}

  /// Creates the links that a type of subscribers describes.
  package init(of type: Any.Type) { add(type) }

  /// Adds the links behind the erasure at its end.
  package mutating func append(_ behind: PassedLinks) {
    names += behind.names
    end = behind.end
    isErased = behind.isErased
  }

  /// Adds the links that a type of subscribers describes.
  package mutating func add(_ type: Any.Type) {
    if let link = type as? any PassedLink.Type { link.tell(&self) } else { end = String(describing: type) }
  }
}

/// A type of subscribers that knows what it is in a chain.
@usableFromInline
package protocol PassedLink {
  static func tell(_ links: inout PassedLinks)
}

/// A subscriber that is an object, or belongs to one, and that tools see on its own.
@usableFromInline
package protocol InspectableSubscriber: PassedLink {}

extension InspectableSubscriber {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) {}
}
