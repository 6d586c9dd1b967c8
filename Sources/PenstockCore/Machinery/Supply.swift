// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Whom a ``SerialSubscription`` asks for more.
@usableFromInline
package class Supply {
  @inlinable
  internal init() {}

  /// Called when the loop has been left, by who was its owner.
  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {}
}

/// One upstream of a ``SerialSubscription``: where its subscription is kept.
///
/// Subclasses keep what has come from there, too; that belongs to the owner of the loop.
@usableFromInline
package class Inlet: Supply {
  @usableFromInline package let slot = SubscriptionSlot()

  /// Whether the owner of the loop knows that the subscription has come.
  ///
  /// Belongs to that owner, who thereby asks for everything once: what came before is made up for when it comes.
  @exclusivity(unchecked) @usableFromInline package var hasBegun = false

  @inlinable
  package override init() {}

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) { slot.request(demand) }

  /// Whether the subscription is there, and has not ended.
  ///
  /// Here, because the slot cannot be looked at from outside without counting a reference to its owner.
  @inlinable
  package final var isActive: Bool { slot.phase == .active }

  /// Whether the subscription has ended, or is not wanted any more.
  @inlinable
  package final var hasEnded: Bool { slot.phase == .terminal }
}

/// What upstreams are to be asked for.
///
/// The first few have a place of their own, so that an operator with a fixed number of upstreams allocates nothing.
@usableFromInline
internal struct AskList {
  @usableFromInline internal typealias Ask = (supply: Supply, demand: Subscribers.Demand)

  /// Beside the list: to compare an ask with `nil` would count a reference to whom it is for.
  @usableFromInline internal private(set) var isEmpty = true
  @usableFromInline internal var first: Ask?
  @usableFromInline internal var second: Ask?
  @usableFromInline internal var third: Ask?
  @usableFromInline internal var others: ContiguousArray<Ask> = []

  @inlinable
  internal init() {}

  @usableFromInline
  internal mutating func append(_ supply: Supply, _ demand: Subscribers.Demand) {
    if isEmpty {
      isEmpty = false
      first = (supply, demand)
    } else if second == nil {
      second = (supply, demand)
    } else if third == nil {
      third = (supply, demand)
    } else {
      others.append((supply, demand))
    }
  }

  internal func perform() {
    if let first { first.supply.request(first.demand) }
    if let second { second.supply.request(second.demand) }
    if let third { third.supply.request(third.demand) }
    for ask in others { ask.supply.request(ask.demand) }
  }
}
