// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The latest look at the streams, for all who ask, and since when nothing has changed in each.
internal actor LookCache {
  /// How long a look serves.
  static var age: Duration { .milliseconds(500) }

  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private var latestLook: (snapshot: Inspector.Snapshot, time: ContinuousClock.Instant)?
  /// The fingerprint of each stream, and when it was first seen.
  private var history: [UInt64: (print: Int, since: ContinuousClock.Instant)] = [:]

  init(patience: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    (self.patience, self.now) = (patience, now)
  }

  /// Returns the latest look, or looks again if that is too old.
  func latest() -> Inspector.Snapshot {
    let now = now()
    if let latestLook, now - latestLook.time < Self.age { return latestLook.snapshot }
    let graph = LinkGraph()
    history = Dictionary(
      uniqueKeysWithValues: graph.fingerprints.map { end, print in
        let known = history[end]
        return (end, (print, known?.print == print ? known!.since : now))
      })
    let snapshot = graph.snapshot(unchangedFor: history.mapValues { now - $0.since }, atLeast: patience)
    latestLook = (snapshot, now)
    return snapshot
  }
}
