// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What an operator uses its scheduler for, by its documentation: T-01 expects these calls there.
public enum SchedulerUse: Hashable, Sendable {
  /// Values and the completion are delivered there, as with `receive(on:)` and `delay`.
  case deliveries
  /// Upstream is subscribed to, asked and cancelled there, as with `subscribe(on:)`.
  case subscriptions
  /// Only what time brings about comes from the scheduler; what upstream sends passes at once, as with
  /// `measureInterval`.
  case time
}
