// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The time of a queue: how long it has existed, by a clock of any type.
package struct QueueTime: Sendable {
  /// The time that has passed.
  package let now: @Sendable () -> Duration
  /// Waits until a date, as the time since the beginning.
  internal let sleep: @Sendable (_ date: Duration) async throws -> Void

  package init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { date in try await clock.sleep(until: start.advanced(by: date.countable), tolerance: nil) }
  }
}
