// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An introduction that holds the demand of other threads.
@usableFromInline
package struct DemandHold: ~Copyable, Sendable {
  private let introduction = IntroductionHold()
  private let held = DemandLedger()

  /// Begins the introduction, on the calling thread.
  @usableFromInline
  package init() {}

  /// Begins it again, for a subscription that was created before.
  @usableFromInline
  package borrowing func begin() { introduction.begin() }

  /// Takes a request, or holds it.
  ///
  /// - Returns: The demand that the caller has to serve, with that of other threads at the same moment; `nil` if the
  ///   introducing thread or another one serves it.
  @usableFromInline
  package borrowing func admit(_ demand: Subscribers.Demand) -> Subscribers.Demand? {
    if introduction.isOpen { return demand }
    held.add(demand)
    return introduction.holdBack() ? nil : takeHeld()
  }

  /// Ends the introduction, and returns the demand that the caller has to serve.
  @usableFromInline
  package borrowing func end() -> Subscribers.Demand? { introduction.end() ? takeHeld() : nil }

  private borrowing func takeHeld() -> Subscribers.Demand? {
    // Another thread may have taken it already.
    let demand = held.withdrawAll()
    return demand == .none ? nil : demand
  }
}
