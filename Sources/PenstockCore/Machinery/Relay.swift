// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber of the library's that delivers downstream only while it receives, or that accounts for its other
/// deliveries in its own subscription.
///
/// A source can tell when its own deliveries have ended, and an ``Endpoint`` relies on that: conforming is a promise of
/// memory safety, because an endpoint with an open gate uses closures without retaining them. The promise holds only if
/// every subscriber of the chain is a relay. A user's subscriber may pass on the source's own subscription and yet
/// deliver at any time, on any thread, so a source makes no promise to a chain with such a subscriber in it.
@usableFromInline
package protocol Relay: Subscriber {
  /// Whether all subscribers downstream are relays, too.
  var relaysBelow: Bool { get }
}

/// A relay that exposes its downstream subscriber.
///
/// Conform a type only if it delivers only while it receives, or if its subscription's `observeIdle(_:)` accounts for
/// all of its other deliveries.
@usableFromInline
internal protocol ChainLink: Relay {
  associatedtype Downstream: Subscriber

  var downstream: Downstream { get }
}

extension ChainLink {
  @inlinable
  package var relaysBelow: Bool { downstream.isRelay }
}

/// A relay at the end of a chain: it has no downstream.
@usableFromInline
package protocol ChainEnd: Relay, IdleObserver {}

extension ChainEnd {
  @inlinable
  package var relaysBelow: Bool { true }
}

extension Subscriber {
  /// Whether this subscriber and all subscribers downstream of it are relays.
  @inlinable
  package var isRelay: Bool {
    if Self.self == AnySubscriber<Input, Failure>.self {
      return unsafeBitCast(self, to: AnySubscriber<Input, Failure>.self).box.isRelay
    }
    guard let relay = Self.self as? any Relay.Type else { return false }
    return isRelay(as: relay)
  }

  /// The same for a known type: it avoids the box that casting the subscriber itself to an existential would allocate.
  @inlinable
  internal func isRelay<R: Relay>(as type: R.Type) -> Bool {
    unsafeBitCast(self, to: R.self).relaysBelow
  }
}
