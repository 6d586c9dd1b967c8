// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The owner of a task: its `deinit` cancels the task.
@usableFromInline
internal final class TaskOwner: Sendable {
  @usableFromInline internal let task: Task<Void, Never>

  @inlinable
  internal init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}
