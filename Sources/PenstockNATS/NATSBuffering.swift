// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// What becomes of messages that come while the subscriber has requested none.
  ///
  /// A server of NATS sends what is published, to whoever listens, as fast as it can: there is no demand in its
  /// protocol. So what has not been requested waits here, or something has to give.
  public enum NATSBuffering: Sendable, Hashable {
    /// Up to so many wait, and the one that has waited longest is dropped for one that comes.
    case dropOldest(Int)
    /// Up to so many wait, and one that comes beyond them is dropped.
    case dropNewest(Int)
    /// Up to so many wait, and with one more the stream fails, with ``NATSError/Reason/overflow``, behind those that
    /// wait.
    case fail(Int)

    internal var limit: Int {
      switch self {
      case .dropOldest(let count), .dropNewest(let count), .fail(let count): count
      }
    }
  }
#endif
