// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// A policy for messages that come while the subscriber has requested none.
  ///
  /// A NATS server sends published messages to every listener as fast as it can: its protocol has no demand. So
  /// messages that have not been requested wait here, up to a limit.
  public enum NATSBuffering: Sendable, Hashable {
    /// Up to that many wait; then the one that has waited longest is dropped for each one that comes.
    case dropOldest(Int)
    /// Up to that many wait; then each one that comes is dropped.
    case dropNewest(Int)
    /// Up to that many wait; with one more the stream fails, with ``NATSError/Reason/overflow``, after those that wait.
    case fail(Int)

    internal var limit: Int {
      switch self {
      case .dropOldest(let count), .dropNewest(let count), .fail(let count): count
      }
    }
  }
#endif
