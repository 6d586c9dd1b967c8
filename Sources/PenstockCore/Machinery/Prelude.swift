// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule

/// What comes from upstream while an operator shows a subscription to its user's closure, before downstream has it.
///
/// The closure may end the stream, and a completion must not come before the subscription: so it waits here. Values wait
/// as well, if upstream is one that counts no demand; nothing was asked for yet.
///
/// Belongs to upstream's deliveries, which are serial: what waits has come on the closure's own thread.
@usableFromInline
package struct Prelude {
  /// A signal that waits: in a structure, since a closure by itself is wrapped in another when it is put in.
  private struct Held {
    let carryOut: () -> Void
  }

  private var held: Deque<Held> = []

  /// Whether signals wait: while the closure runs, and behind those that have waited.
  @usableFromInline package private(set) var isHolding = false

  @usableFromInline
  package init() {}

  /// The closure is about to run.
  @usableFromInline
  package mutating func begin() { isHolding = true }

  @usableFromInline
  package mutating func hold(_ signal: @escaping () -> Void) { held.append(Held(carryOut: signal)) }

  /// The closure has returned, and downstream gets its subscription.
  @usableFromInline
  package mutating func end() { isHolding = !held.isEmpty }

  /// Downstream has its subscription.
  ///
  /// - Returns: What is to be carried out next; `nil` when nothing waits any more.
  @usableFromInline
  package mutating func next() -> (() -> Void)? {
    let next = held.popFirst()?.carryOut
    if next == nil { isHolding = false }
    return next
  }
}
