// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What becomes of values, and of the promise to tell when there will be no more.
extension HandoverSubscription {
  /// Does with the demand that downstream returned for a value what has become possible.
  ///
  /// - Parameter handovers: The number of upstreams that were over before the value went down.
  /// - Returns: The demand to return to the upstream that the value came from.
  @usableFromInline
  internal final func answer(_ more: Subscribers.Demand, handovers before: UInt) -> Subscribers.Demand {
    // That upstream ended inside of the delivery: the demand is for the one that is there now, or comes next.
    if rules.isEndless || handovers != before {
      request(more)
      return .none
    }
    if !isLast { ledger.add(more) }
    return more
  }

  /// Debits a value, unless it comes from the last upstream; see ``refuse()``.
  ///
  /// - Returns: Whether it may go down.
  @usableFromInline
  internal final func takesOne() -> Bool {
    if isLast ? !ledger.isClosed : ledger.takeOne() { return true }
    refuse()
    return false
  }

  /// - Returns: Whether a value may go down; ``endDelivery()`` has to be called then.
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
      return state.takeObserverIfIdle()
    }
    observer?.deliveriesEnded()
  }

  /// Tells downstream, if nothing can be delivered any more.
  @usableFromInline
  internal final func settle() {
    state.withLock { $0.takeObserverIfIdle() }?.deliveriesEnded()
  }
}

extension HandoverSubscription: IdleObserver {
  /// One of the upstreams delivers nothing any more.
  @usableFromInline
  package final func deliveriesEnded() {
    let observer = state.withLock { state in
      state.promised -= 1
      return state.takeObserverIfIdle()
    }
    observer?.deliveriesEnded()
  }
}
