// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What an operator uses its scheduler for, by its documentation: what T-01 expects to find there.
public enum SchedulerUse: Hashable, Sendable {
  /// Values and the completion are delivered there, as with `receive(on:)` and `delay`.
  case deliveries
  /// Upstream is subscribed to, asked and cancelled there, as with `subscribe(on:)`.
  case subscriptions
  /// Only what time brings about comes from there, and what upstream sends passes at once, as with `measureInterval`.
  case time
}
