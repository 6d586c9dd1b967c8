// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule

/// The ids of the values that have been published lately, so that none is kept twice.
internal struct RecentIDs: Sendable {
  private var ids: Set<String> = []
  private var ends: Deque<(id: String, date: Duration)> = []

  /// Whether a value with an id has been published lately; one without is always new.
  internal mutating func has(_ id: String?, _ now: Duration) -> Bool {
    while let first = ends.first, first.date <= now {
      ids.remove(first.id)
      ends.removeFirst()
    }
    return id.map { ids.contains($0) } ?? false
  }

  internal mutating func add(_ id: String?, until date: Duration) {
    guard let id else { return }
    ids.insert(id)
    ends.append((id, date))
  }
}
