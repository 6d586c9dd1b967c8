// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The settlement of a delivery: one of its copies settles it, once.
package final class Settlement: Sendable {
  private enum Phase {
    case open
    /// The broker has been asked, and has not answered.
    case settling
    case settled
  }

  private let ledger: CreditLedger
  /// The unsettled deliveries of all streams of the same source: its end waits for them.
  private let unsettled: Tally
  private let phase = Guarded(Phase.open)
  /// When it was delivered, or last extended.
  private let extensionDate = Guarded(ContinuousClock.now)

  package init(_ ledger: CreditLedger, _ unsettled: Tally) {
    (self.ledger, self.unsettled) = (ledger, unsettled)
    ledger.change {
      $0.fetched += 1
      $0.inFlight += 1
    }
    unsettled.add(1)
  }

  deinit {
    // Nobody can settle it any more.
    if phase.withLock({ $0 != .settled }) { leave { _ in } }
  }

  package var isOpen: Bool { phase.withLock { $0 == .open } }

  /// Settles the delivery by a call, after which it may be tried again if the call fails.
  ///
  /// - Parameters:
  ///   - disposition: What happens to the delivery; `nil` if it is given back as not tried.
  ///   - send: Tells the broker.
  package func settle(
    as disposition: DeliveryDisposition?, _ send: () async throws(DeliveryError) -> Void
  ) async throws(DeliveryError) {
    try begin()
    do throws(DeliveryError) {
      try await send()
    } catch {
      phase.withLock { $0 = .open }
      noteRefusal()
      throw error
    }
    end(as: disposition)
  }

  /// Settles the delivery by a call that nobody waits for, unless it has been settled.
  package func drop(_ send: () -> Void) {
    if (try? begin()) == nil { return }
    send()
    end(as: nil)
  }

  /// Extends the delivery by a call, unless it has been settled.
  ///
  /// - Parameters:
  ///   - limit: The time within which an extension has to come, if the broker does not say that it came too late.
  ///   - send: Tells the broker.
  package func extend(
    within limit: Duration? = nil, _ send: () async throws(DeliveryError) -> Void
  ) async throws(DeliveryError) {
    if !isOpen { throw Self.settled }
    let now = ContinuousClock.now
    if let limit, now - extensionDate.withLock({ $0 }) > limit {
      throw DeliveryError(
        .expired, "\(limit) have passed without an extension: the message is, or will be, delivered again.")
    }
    try await send()
    extensionDate.withLock { $0 = now }
  }

  /// Records that the broker has refused a settlement, or could not be told.
  package func noteRefusal() { ledger.change { $0.refused += 1 } }

  private func begin() throws(DeliveryError) {
    let isOpen = phase.withLock { phase in
      if phase != .open { return false }
      phase = .settling
      return true
    }
    if !isOpen { throw Self.settled }
  }

  private func end(as disposition: DeliveryDisposition?) {
    phase.withLock { $0 = .settled }
    leave { counts in
      switch disposition {
      case .ack?: counts.acknowledged += 1
      case .terminate?: counts.terminated += 1
      case .nak?, nil: counts.givenBack += 1
      }
    }
  }

  private func leave(_ body: (inout CreditCounts) -> Void) {
    ledger.change {
      $0.inFlight -= 1
      body(&$0)
    }
    unsettled.add(-1)
  }

  internal static let settled = DeliveryError(
    .settled, "It has been settled before: call one of ack(), nak(after:), giveBack() and terminate(), once.")
}
