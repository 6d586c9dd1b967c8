// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How long a broker has been away while somebody waited for it.
package struct Outage: Sendable {
  /// When the broker was lost; `nil` while it is there.
  package private(set) var lossDate: ContinuousClock.Instant?
  /// When somebody first wanted something from the broker that was lost.
  private var wantDate: ContinuousClock.Instant?

  package init() {}

  /// Notes that the broker is away, unless that is known.
  package mutating func begin(at date: ContinuousClock.Instant = .now) { lossDate = lossDate ?? date }

  /// Notes that somebody waits.
  package mutating func want(at date: ContinuousClock.Instant = .now) { wantDate = wantDate ?? date }

  package mutating func end() { (lossDate, wantDate) = (nil, nil) }

  /// Whether it has lasted for longer than a stream may wait; `nil` for no limit.
  package func isLonger(than limit: Duration?) -> Bool {
    guard let limit, let lossDate, let wantDate else { return false }
    return .now - max(lossDate, wantDate) >= limit
  }
}
