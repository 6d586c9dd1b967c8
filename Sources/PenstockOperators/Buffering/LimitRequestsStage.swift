// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The stage of `limitRequests`: when few values are outstanding, it requests enough to make them a full batch again.
@usableFromInline
internal final class LimitRequestsStage: RationingStage {
  @usableFromInline internal let most: Int
  @usableFromInline internal let low: Int
  @usableFromInline internal let decisions = Guarded(())

  @usableFromInline
  internal init(most: Int, low: Int) {
    self.most = most
    self.low = low
  }

  @usableFromInline internal static var name: String { "LimitRequests" }

  @usableFromInline
  internal func ration(at link: RationedSubscription) -> Subscribers.Demand {
    let count = decisions.withLock { _ in
      // The thread that delivers may have counted more by now. It comes here itself then, since it is at the mark.
      let outstanding = link.countOutstanding(at: link.arrivals)
      guard outstanding <= low else { return 0 }
      let count = link.grant(upTo: most - outstanding)
      link.markValues(leaving: low)
      return count
    }
    return count == 0 ? .none : .max(count)
  }
}
