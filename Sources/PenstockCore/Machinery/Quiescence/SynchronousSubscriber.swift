// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber of the library's that delivers downstream only while it receives, or that accounts for its other
/// deliveries in its own subscription.
///
/// A source can tell when its own deliveries have ended, and a ``SinkStorage`` relies on that: conforming is a promise
/// of memory safety, because a sink storage with open access uses its target without retaining it. The promise holds
/// only if every subscriber of the chain is synchronous. A user's subscriber may pass on the source's own subscription
/// and yet deliver at any time, on any thread, so a source makes no promise to a chain with such a subscriber in it.
@usableFromInline
package protocol SynchronousSubscriber: Subscriber {
  /// Whether all subscribers downstream are synchronous, too, and are the only ones that get the source's subscription.
  var downstreamIsSynchronous: Bool { get }
}

/// A synchronous subscriber that delivers to another one.
///
/// Conform a type only if it delivers only while it receives, or if its subscription's `observeQuiescence(_:)` accounts
/// for all of its other deliveries.
@usableFromInline
internal protocol SynchronousOperator: SynchronousSubscriber {
  associatedtype Downstream: Subscriber

  var downstream: Downstream { get }
}

extension SynchronousOperator {
  @inlinable
  package var downstreamIsSynchronous: Bool { downstream.isSynchronous }
}

/// A synchronous subscriber at the end of a chain: it has no downstream.
@usableFromInline
package protocol SynchronousSink: SynchronousSubscriber, QuiescenceObserver {}

extension SynchronousSink {
  @inlinable
  package var downstreamIsSynchronous: Bool { true }
}

extension Subscriber {
  /// Whether this subscriber and all subscribers downstream of it are synchronous.
  @inlinable
  package var isSynchronous: Bool {
    if Self.self == AnySubscriber<Input, Failure>.self {
      return unsafeBitCast(self, to: AnySubscriber<Input, Failure>.self).box.isSynchronous
    }
    guard let synchronous = Self.self as? any SynchronousSubscriber.Type else { return false }
    return isSynchronous(as: synchronous)
  }

  /// The same for a known type: it avoids the box that casting the subscriber itself to an existential would allocate.
  @inlinable
  internal func isSynchronous<R: SynchronousSubscriber>(as type: R.Type) -> Bool {
    unsafeBitCast(self, to: R.self).downstreamIsSynchronous
  }
}
