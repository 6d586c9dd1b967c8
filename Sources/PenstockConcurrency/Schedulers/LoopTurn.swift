// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The job of a scheduler on the loop of a host: a block that the loop runs again and again until nothing waits.
///
/// Its batch belongs to the one block that is on its way to the loop.
internal final class LoopTurn: @unchecked Sendable {
  private let actions: TaskActions
  private let send: @Sendable (@escaping @Sendable () -> Void) -> Void
  private var batch = TaskActions.Batch()

  internal init(_ actions: TaskActions, _ send: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    (self.actions, self.send) = (actions, send)
  }

  internal func post() {
    send { self.run() }
  }

  private func run() {
    if actions.performTurn(&batch) { post() }
  }
}
