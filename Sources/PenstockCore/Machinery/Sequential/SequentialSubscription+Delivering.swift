// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Demand that is returned for values, and the promise of quiescence.
extension SequentialSubscription {
  /// Handles the demand that downstream returned for a value.
  ///
  /// - Parameter handovers: The number of upstreams that were over before the delivery.
  /// - Returns: The demand to return to the upstream of the value.
  @usableFromInline
  internal final func answer(_ more: Subscribers.Demand, handovers before: UInt) -> Subscribers.Demand {
    // If that upstream ended during the delivery, the demand is for the current one, or for the next.
    if rules.isEndless || handovers != before {
      request(more)
      return .none
    }
    if !isLast { ledger.add(more) }
    return more
  }

  /// Debits a value, unless it comes from the last upstream; see ``refuse()``.
  ///
  /// - Returns: Whether it may be delivered.
  @usableFromInline
  internal final func takesOne() -> Bool {
    if isLast ? !ledger.isClosed : ledger.takeOne() { return true }
    refuse()
    return false
  }

  /// Begins a counted delivery.
  ///
  /// - Returns: Whether a value may be delivered; if so, ``endDelivery()`` has to be called.
  @usableFromInline
  internal final func beginDelivery() -> Bool {
    state.withLock { state in
      guard state.phase != .ended else { return false }
      state.running += 1
      return true
    }
  }

  @usableFromInline
  internal final func endDelivery() {
    let observer = state.withLock { state in
      state.running -= 1
      return state.takeObserverIfQuiescent()
    }
    observer?.deliveriesEnded()
  }

  /// Notifies the observer, if nothing can be delivered any more.
  @usableFromInline
  internal final func settle() {
    state.withLock { $0.takeObserverIfQuiescent() }?.deliveriesEnded()
  }
}

extension SequentialSubscription: QuiescenceObserver {
  /// Called when one of the upstreams has become quiescent.
  @usableFromInline
  package final func deliveriesEnded() {
    let observer = state.withLock { state in
      state.promised -= 1
      return state.takeObserverIfQuiescent()
    }
    observer?.deliveriesEnded()
  }
}
