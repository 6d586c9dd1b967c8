// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  /// The counters of a publisher of deliveries, for all its subscribers together.
  internal final class CreditCounts: Sendable {
    private let counts = Guarded(NATSDeliveryCounts())

    internal var value: NATSDeliveryCounts { counts.withLock { $0 } }

    internal func change(_ body: (inout NATSDeliveryCounts) -> Void) { counts.withLock { body(&$0) } }
  }
#endif
