// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Demand that is returned for values, and the promise of quiescence.
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
  @usableFromInline
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

  /// Called for a value that may not be delivered, in another mode than that of counting.
  ///
  /// - Returns: The answer to the value.
  @usableFromInline
  internal final func refuse(in mode: Mode) -> Subscribers.Demand {
    mode == .closed && completedUpstreams == 0 ? refuse() : .none
  }

  /// Begins a counted delivery.
  ///
  /// - Returns: Whether a value may be delivered; if so, ``endTracking()`` has to be called.
  @usableFromInline
  internal final func beginTracking() -> Bool {
    state.withLock { state in
      guard state.phase != .ended else { return false }
      state.running += 1
      return true
    }
  }

  @usableFromInline
  internal final func endTracking() {
    let observer = state.withLock { state in
      state.running -= 1
      return state.takeObserverIfQuiescent()
    }
    observer?.deliveriesEnded()
  }

  /// Notifies the observer, if nothing can be delivered any more.
  @usableFromInline
  internal final func notifyIfQuiescent() {
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
