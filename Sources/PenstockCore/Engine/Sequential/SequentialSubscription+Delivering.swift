// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The demand that values use up, and that is returned for them.
extension SequentialSubscription {
  /// Routes the demand that downstream has returned for a value to the upstream that it is for.
  ///
  /// - Parameters:
  ///   - more: The demand.
  ///   - before: The number of upstreams that had completed before the delivery.
  /// - Returns: The demand to return to the upstream of the value.
  @usableFromInline
  internal final func route(_ more: Subscribers.Demand, since before: UInt) -> Subscribers.Demand {
    // If that upstream ended during the delivery, the demand is for the current one, or for the next.
    if traits.isEndless || completedUpstreams != before {
      request(more)
      return .none
    }
    if !isLast { ledger.add(more) }
    return more
  }

  /// Debits a value, unless it comes from the last upstream; see ``refuse()``.
  ///
  /// - Returns: Whether it may be delivered.
  internal final func takeOne() -> Bool {
    if isLast ? !ledger.isClosed : ledger.takeOne() { return true }
    refuse()
    return false
  }

  /// Called for a value without demand.
  ///
  /// The value is dropped if its upstream does not count demand.
  ///
  /// - Returns: The answer to the value.
  @discardableResult
  @usableFromInline
  internal final func refuse() -> Subscribers.Demand {
    // In this order: a cancel closes the ledger before it releases upstream, and `exceedsDemand` needs upstream.
    if traits.trapsUnrequested, !exceedsDemand, !ledger.isClosed { trap(.unrequestedValue(operator: name)) }
    return .none
  }

  /// Called for a value while there is no upstream.
  ///
  /// - Returns: The answer to the value.
  internal final func refuseClosed() -> Subscribers.Demand {
    completedUpstreams == 0 ? refuse() : .none
  }
}
