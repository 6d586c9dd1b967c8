// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension SequentialSubscription {
  /// Called for a value without demand.
  ///
  /// The value is dropped if its upstream does not count demand.
  @usableFromInline @inline(never)
  internal func refuse() {
    // In this order: a cancel closes the ledger before it releases upstream, and `exceedsDemand` needs upstream.
    if rules.trapsUnrequested, !exceedsDemand, !ledger.isClosed { trap(.unrequestedValue(operator: name)) }
  }

  /// Called for a failure of an upstream that is not the current one.
  @usableFromInline
  internal func refuseFailure() {
    let (isOver, isEarly) = state.withLock { ($0.phase == .ended, !$0.hasStarted) }
    if isOver { return }
    trap(isEarly ? .beforeSubscription(operator: name, signal: "a failure") : .secondFailure(operator: name))
  }
}
