// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An object at the end of a chain.
package protocol InspectableEnd: InspectableLink, InspectableSubscriber {}

extension LinkState {
  /// What the end of a chain tells: it asks for whatever comes, unless it says otherwise.
  package mutating func take(end name: String, _ slot: borrowing SubscriptionSlot) {
    self.name = name
    isEnd = true
    take(slot)
    isAsking = true
  }
}
