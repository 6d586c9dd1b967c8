// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An object at the end of a chain.
package protocol InspectableEnd: InspectableLink, InspectableSubscriber {}

extension LinkState {
  /// Takes what a ledger tells.
  package mutating func take(_ ledger: borrowing DemandLedger) {
    demand = ledger.balance
    moves &+= ledger.additions.value
  }

  /// Takes what a slot tells.
  package mutating func take(_ slot: borrowing SubscriptionSlot) {
    phase = Phase(slot.phase)
    add(slot.base)
  }

  /// What the end of a chain tells: it asks for whatever comes, unless it says otherwise.
  package mutating func take(end name: String, _ slot: borrowing SubscriptionSlot) {
    self.name = name
    isEnd = true
    take(slot)
    isAsking = true
  }
}

extension LinkState.Phase {
  package init(_ phase: SubscriptionSlot.Phase) {
    self =
      switch phase {
      case .awaiting: .awaiting
      case .active: .active
      case .terminal: .ended
      }
  }
}
