// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  /// The numbers of a subscription at one moment, or the difference between two moments.
  internal struct Figures {
    // The numbers from here on only grow.
    internal var values = 0
    internal var discardedAfterEnd = 0
    internal var discardedAfterCancel = 0
    // The numbers from here on rise and fall; all are zero when the subscription has ended.
    internal var subscriptions = 0
    internal var requested = 0
    internal var unlimited = 0
    internal var waiting = 0

    internal static func - (lhs: Self, rhs: Self) -> Self {
      Self(
        values: lhs.values - rhs.values, discardedAfterEnd: lhs.discardedAfterEnd - rhs.discardedAfterEnd,
        discardedAfterCancel: lhs.discardedAfterCancel - rhs.discardedAfterCancel,
        subscriptions: lhs.subscriptions - rhs.subscriptions, requested: lhs.requested - rhs.requested,
        unlimited: lhs.unlimited - rhs.unlimited, waiting: lhs.waiting - rhs.waiting)
    }

    internal static func += (lhs: inout Self, rhs: Self) { lhs = lhs - (Self() - rhs) }
  }

  /// The numbers that are reported together.
  internal struct Report {
    internal var figures = Figures()
    /// The age of the oldest value since the last report, in nanoseconds; negative if there was none.
    internal var greatestAge = -1
  }

  /// How a subscription has ended.
  @usableFromInline
  internal enum StreamEnd: Int, CaseIterable, Sendable {
    case finished, failed, cancelled
  }
#endif
