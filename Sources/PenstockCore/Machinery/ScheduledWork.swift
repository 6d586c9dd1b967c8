// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A closure that was given to a scheduler, on its way to the thread that will run it.
///
/// The closures of `Scheduler` are not `@Sendable`, as in Combine, while everything that runs them wants one that is.
/// Whoever schedules a closure vouches for it.
package struct ScheduledAction: Sendable {
  /// The closure itself: one that called it would be allocated anew for each piece of work.
  package let run: @Sendable () -> Void

  package init(_ run: @escaping () -> Void) {
    self = unsafeBitCast(Unchecked(run: run), to: ScheduledAction.self)
  }

  /// The same, as it came.
  ///
  /// The attribute means something to the compiler alone. It is the structures that are cast, since functions would be
  /// wrapped on their way through a generic call.
  private struct Unchecked {
    let run: () -> Void
  }
}

/// A closure that was given to a scheduler and can be taken back.
///
/// Once it has been taken back it does not start any more, whatever the timer behind it does, and what it captures has
/// been let go. A run that is under way goes on.
package final class ScheduledWork: Sendable {
  private let action: Guarded<(() -> Void)?>

  package init(_ action: @escaping () -> Void) {
    self.action = Guarded(action)
  }

  /// Whether the closure is still there.
  package var isThere: Bool { action.withLock { $0 != nil } }

  /// Runs the closure, and keeps it for the next time.
  package func run() {
    action.withLock { $0 }?()
  }

  /// Runs the closure, and lets go of it.
  package func runOnce() {
    action.withLock { $0.take() }?()
  }

  /// Lets go of the closure.
  ///
  /// - Returns: Whether it was there until now.
  @discardableResult
  package func revoke() -> Bool {
    action.withLock { $0.take() } != nil
  }
}
