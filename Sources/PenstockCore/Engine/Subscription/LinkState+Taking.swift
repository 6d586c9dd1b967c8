// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An object at the end of a chain.
package protocol InspectableEnd: InspectableLink, InspectableSubscriber {}

extension LinkState {
  /// Takes the state of a ledger.
  package mutating func take(_ ledger: borrowing DemandLedger) {
    demand = ledger.balance
    moves &+= ledger.additions.value
  }

  /// Takes the state of a slot.
  package mutating func take(_ slot: borrowing SubscriptionSlot) {
    phase = Phase(slot.phase)
    add(slot.base)
  }

  /// Takes the state of the end of a chain, which requests everything unless it says otherwise.
  package mutating func take(end name: String, _ slot: borrowing SubscriptionSlot) {
    (self.name, isEnd, isAsking) = (name, true, true)
    take(slot)
  }
}

extension LinkState.Phase {
  package init(_ phase: SubscriptionSlot.Phase) {
    switch phase {
    case .awaiting: self = .awaiting
    case .active: self = .active
    case .terminal: self = .ended
    }
  }
}
