// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule

/// Signals from upstream that arrive while an operator passes a subscription to a user's closure, before downstream has
/// its subscription.
///
/// The closure may end the stream, and a completion must not precede the subscription: so it is held. Values from
/// upstreams that do not count demand are held, too.
///
/// Accessed only while upstream delivers, serially: held signals have arrived on the closure's own thread.
@usableFromInline
package struct SubscriptionHold {
  /// A held signal, which gets the subscription that downstream has; a structure, because a closure stored on its own
  /// is wrapped in a thunk.
  private struct Held {
    let carryOut: (BaseSubscription) -> Void
  }

  private var held: Deque<Held> = []

  /// Whether signals are held: while the closure runs, and until all held signals have been performed.
  @usableFromInline package private(set) var isHolding = false

  @usableFromInline
  package init() {}

  /// Called before the closure runs.
  @usableFromInline
  package mutating func begin() { isHolding = true }

  @usableFromInline
  package mutating func hold(_ signal: @escaping (BaseSubscription) -> Void) { held.append(Held(carryOut: signal)) }

  /// Called when the closure has returned, before downstream gets its subscription.
  @usableFromInline
  package mutating func end() { isHolding = !held.isEmpty }

  /// Called when downstream has its subscription.
  ///
  /// - Returns: The next signal to perform; `nil` when none is left.
  @usableFromInline
  package mutating func next() -> ((BaseSubscription) -> Void)? {
    let next = held.popFirst()?.carryOut
    if next == nil { isHolding = false }
    return next
  }
}
