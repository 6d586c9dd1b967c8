// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  /// The numbers of a subscription at a moment, or the difference between two moments.
  internal struct Figures {
    // What only grows.
    internal var values = 0
    internal var discardedAfterEnd = 0
    internal var discardedAfterCancel = 0
    // What rises and falls; all zero when the subscription is over.
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

  /// What is reported at once.
  internal struct Report {
    internal var figures = Figures()
    /// Of the values since the last report the age of the oldest, in nanoseconds; negative if there was none.
    internal var greatestAge = -1
  }

  /// How a subscription has ended.
  @usableFromInline
  internal enum StreamEnd: Int, CaseIterable, Sendable {
    case finished, failed, cancelled
  }
#endif
