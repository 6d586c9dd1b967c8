// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// A strategy for a value whose group is full.
  public enum GroupBufferingStrategy: Hashable, Sendable {
    /// Holds upstream while a group is full.
    case hold
    /// Fails with ``GroupingError/groupFull(key:buffer:)``.
    case fail
    /// Drops the new value.
    case dropNewest
    /// Drops the oldest value of the group.
    case dropOldest

    @inlinable
    internal var policy: SplitLimits.Policy {
      switch self {
      case .hold: .hold
      case .fail: .fail
      case .dropNewest: .dropNewest
      case .dropOldest: .dropOldest
      }
    }
  }
}
