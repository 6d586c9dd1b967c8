// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Synchronization

/// Counts what happens to queries: the hook that tests and measurements look at.
///
/// **Concurrency:** any thread may count and read.
public final class QueryCounts: Sendable {
  /// The counts at one moment.
  public struct Snapshot: Equatable, Sendable {
    /// How many have been asked for.
    public var queued = 0
    /// How many were given up before they began.
    public var withdrawn = 0
    /// How many have reached SQLite.
    public var began = 0
    /// How many have found what they could.
    public var finished = 0
    /// How many were interrupted while they ran.
    public var interrupted = 0
    /// How many have failed.
    public var failed = 0
    /// The longest that one ran on after its interrupt.
    public var longestAfterInterrupt = Duration.zero
    /// The longest that one took which was not interrupted.
    public var longest = Duration.zero

    /// How many wait or run.
    public var open: Int { queued - withdrawn - finished - interrupted - failed }
  }

  private let state = Mutex(Snapshot())

  /// Creates counts of zero.
  public init() {}

  /// The counts now.
  public var now: Snapshot { state.withLock { $0 } }

  /// Counts an event.
  public func count(_ event: QueryEvent) {
    state.withLock { counts in
      switch event {
      case .queued: counts.queued += 1
      case .withdrawn: counts.withdrawn += 1
      case .began: counts.began += 1
      case .finished(let duration):
        counts.finished += 1
        counts.longest = max(counts.longest, duration)
      case .interrupted(let after):
        counts.interrupted += 1
        counts.longestAfterInterrupt = max(counts.longestAfterInterrupt, after)
      case .failed: counts.failed += 1
      }
    }
  }
}
