// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber of the library's that delivers to the one below only from inside of what it receives itself, or that
/// answers for its other deliveries in its own subscription.
///
/// A source can tell when its deliveries have ended, and an ``Endpoint`` relies on that. It holds only where there are
/// relays all the way down: a subscriber of a user's may hand on the source's own subscription, and yet deliver whenever
/// and on whatever thread it likes. So a source promises nothing to such a chain.
@usableFromInline
package protocol Relay: Subscriber {
  /// Whether all the subscribers below are relays, too.
  var relaysBelow: Bool { get }
}

/// A relay that shows whom it delivers to.
@usableFromInline
internal protocol ChainLink: Relay {
  associatedtype Downstream: Subscriber

  var downstream: Downstream { get }
}

extension ChainLink {
  @inlinable
  package var relaysBelow: Bool { downstream.isRelay }
}

/// A subscriber at the end of a chain: nobody is below it.
@usableFromInline
package protocol ChainEnd: Relay, IdleObserver {}

extension ChainEnd {
  @inlinable
  package var relaysBelow: Bool { true }
}

extension Subscriber {
  /// Whether this subscriber and all below it are relays.
  @inlinable
  package var isRelay: Bool {
    if Self.self == AnySubscriber<Input, Failure>.self {
      return unsafeBitCast(self, to: AnySubscriber<Input, Failure>.self).box.isRelay
    }
    guard let relay = Self.self as? any Relay.Type else { return false }
    return isRelay(as: relay)
  }

  /// The same, without the box that a cast of the subscriber itself would need.
  @inlinable
  internal func isRelay<R: Relay>(as type: R.Type) -> Bool {
    unsafeBitCast(self, to: R.self).relaysBelow
  }
}
