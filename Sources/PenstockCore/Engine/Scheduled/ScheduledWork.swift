// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A closure that was given to a scheduler, in transfer to the thread that will run it.
///
/// The closures of `Scheduler` are not `@Sendable`, as in Combine, while the APIs that run them require it. The caller
/// that schedules a closure is responsible for its safety.
package struct ScheduledAction: Sendable {
  /// The closure itself, cast: a closure that wrapped it would be an allocation for each piece of work.
  package let run: @Sendable () -> Void

  package init(_ run: @escaping () -> Void) {
    self = unsafeBitCast(Unchecked(run: run), to: ScheduledAction.self)
  }

  /// The same closure, without `@Sendable`.
  ///
  /// The attribute has no representation at run time, so the cast is sound. Structures are cast, because a function
  /// would be wrapped in a thunk when it is passed to a generic call.
  private struct Unchecked {
    let run: () -> Void
  }
}

/// A closure that was given to a scheduler and can be cancelled.
///
/// A cancelled closure never starts, whatever its timer does, and its captures have been released. A run that
/// is in progress continues.
package final class ScheduledWork: Sendable {
  private let action: Guarded<(() -> Void)?>

  package init(_ action: @escaping () -> Void) {
    self.action = Guarded(action)
  }

  /// Whether the closure may still run: it has been neither cancelled nor run once.
  package var isPending: Bool { action.withLock { $0 != nil } }

  /// Calls the closure, and keeps it for the next time.
  package func run() {
    action.withLock { $0 }?()
  }

  /// Calls the closure, and releases it.
  package func runOnce() {
    action.withLock { $0.take() }?()
  }

  /// Releases the closure.
  ///
  /// - Returns: Whether it was pending until now.
  @discardableResult
  package func cancel() -> Bool {
    action.withLock { $0.take() } != nil
  }
}
