// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler whose actions may each deliver several values: no other work of the same thread can come between them,
/// and nobody counts the actions.
@usableFromInline
package protocol RunScheduler: Scheduler {
  /// Whether it is of that kind at the moment.
  var takesRuns: Bool { get }
}
