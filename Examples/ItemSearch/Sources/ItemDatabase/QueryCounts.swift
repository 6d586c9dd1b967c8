// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Synchronization

/// Counts what happens to queries: the hook that tests and measurements look at.
///
/// **Concurrency:** any thread may count and read.
public final class QueryCounts: Sendable {
  /// The counts at one moment.
  public struct Snapshot: Equatable, Sendable {
    /// How many queries have been asked for.
    public var queued = 0
    /// How many queries were given up before they began.
    public var withdrawn = 0
    /// How many queries have reached SQLite.
    public var began = 0
    /// How many queries have finished.
    public var finished = 0
    /// How many queries were interrupted while they ran.
    public var interrupted = 0
    /// How many queries have failed.
    public var failed = 0
    /// The longest time that a query ran after its interrupt.
    public var longestAfterInterrupt = Duration.zero
    /// The longest time that a query took without an interrupt.
    public var longest = Duration.zero

    /// How many queries wait or run.
    public var open: Int { queued - withdrawn - finished - interrupted - failed }
  }

  private let state = Mutex(Snapshot())

  /// Creates counts of zero.
  public init() {}

  /// The current counts.
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
