// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The counters of a publisher of deliveries, for all its subscribers together.
@usableFromInline
package final class CreditLedger: Sendable {
  private let counts = Guarded(CreditCounts())

  package init() {}

  package var value: CreditCounts { counts.withLock { $0 } }

  package func change(_ body: (inout CreditCounts) -> Void) { counts.withLock { body(&$0) } }

  package func ask(for count: Int) {
    change {
      $0.asked += count
      $0.credit += count
    }
  }

  /// Records that deliveries have come for that much credit.
  @usableFromInline
  package func use(_ credit: Int) { change { $0.credit -= credit } }

  package func handBack(_ credit: Int) {
    change {
      $0.credit -= credit
      $0.returnedCredit += credit
    }
  }

  package func lose(_ credit: Int) {
    change {
      $0.credit -= credit
      $0.lostCredit += credit
    }
  }
}
