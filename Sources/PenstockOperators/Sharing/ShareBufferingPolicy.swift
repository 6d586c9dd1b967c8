// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What happens to a shared value for a subscriber that has not requested it; see `share(buffering:)`.
///
/// A value that a subscriber has requested is always delivered to it.
public enum ShareBufferingPolicy: Hashable, Sendable {
  /// Requests as many values from upstream as fit, so that upstream waits for the slowest subscriber, and nothing is
  /// dropped.
  ///
  /// The number is 1 or more: how many values upstream may be ahead of the slowest subscriber. When half of it has been
  /// taken by all subscribers, or everything that was requested has come, as many as fit are requested again. Upstream has
  /// to honour demand, which a subject does by dropping.
  case bounded(Int)

  /// Requests unlimited values, keeps up to a number of them for each subscriber, and drops the one that has waited
  /// longest for one that comes.
  case newest(Int)

  /// Requests unlimited values, keeps up to a number of them for each subscriber, and drops those that come while that
  /// many wait.
  case oldest(Int)

  /// Requests unlimited values, and keeps all of them until the slowest subscriber has taken them.
  ///
  /// Memory is the only limit: for subscribers that keep up on average.
  case unbounded
}
