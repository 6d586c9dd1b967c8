// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What happens to a shared value for a subscriber that has not requested it; see `share(buffering:)`.
///
/// A value that a subscriber has requested is always delivered to it.
public enum ShareBufferingPolicy: Hashable, Sendable {
  /// Requests as many values from upstream as fit, so that upstream waits for the slowest subscriber, and nothing is
  /// dropped.
  ///
  /// The number, 1 or more, says how many values upstream may be ahead of the slowest subscriber. When all subscribers
  /// have taken half of it, or all requested values have arrived, as many as fit are requested again. Upstream has to
  /// honour demand; a subject does so by dropping values.
  case bounded(Int)

  /// Requests unlimited values, keeps up to a number of them for each subscriber, and drops the one that has waited
  /// longest when another arrives.
  case newest(Int)

  /// Requests unlimited values, keeps up to a number of them for each subscriber, and drops values that arrive while
  /// that many wait.
  case oldest(Int)

  /// Requests unlimited values, and keeps all of them until the slowest subscriber has taken them.
  ///
  /// Memory is the only limit, so this suits subscribers that keep up on average.
  case unbounded
}
