// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The untyped half of `collect(_:)`: the subscription that downstream gets.
///
/// The values that are left at upstream's end take the place of `.finished`, until downstream has requested them.
@usableFromInline
internal class CollectByCountSubscription: SubstitutingSubscription {
  @usableFromInline internal let count: Int

  // Accessed only while upstream delivers, serially.

  /// The demand that downstream has returned for arrays while upstream was active.
  @exclusivity(unchecked) @usableFromInline internal final var answered = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal final var delivered = 0

  @inlinable
  internal init(_ count: Int, deliver: @escaping (SubstitutingSubscription) -> Void) {
    self.count = count
    super.init(name: "CollectByCount", deliver: deliver)
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    if count < 0 { trap(.negativeCount(operator: "collect(_:)")) }
    super.request(demand)
  }

  @usableFromInline
  internal final override func ask(_ upstream: any Subscription, for demand: Subscribers.Demand) {
    let values = demand * count
    if values != .none { upstream.request(values) }
  }

  /// Accounts for the demand that downstream has returned for an array.
  ///
  /// - Returns: The demand to return to upstream.
  @usableFromInline
  internal final func answer(_ more: Subscribers.Demand) -> Subscribers.Demand {
    if slot.phase == .active {
      answered += more
    } else {
      // Upstream has ended during the delivery, perhaps when there was no demand.
      ledger.add(more)
      release()
    }
    return more * count
  }

  /// Debits the delivered arrays, so that the remaining demand can pay for the rest.
  ///
  /// Once for all of them instead of for each: only an upstream that ignores demand can use it up.
  @usableFromInline
  internal final func settleAccount() {
    ledger.add(answered)
    if let balance = ledger.balance.max { _ = ledger.withdraw(.max(min(balance, delivered))) }
  }
}
