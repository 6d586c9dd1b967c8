// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The owner of a task: its `deinit` cancels the task.
@usableFromInline
internal final class TaskOwner: Sendable {
  @usableFromInline internal let task: Task<Void, Never>

  @inlinable
  internal init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}

/// A future that a task fulfils, if anything still refers to it.
@usableFromInline
internal final class FutureTarget<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline internal weak let future: Future<Output, Failure>?

  @inlinable
  internal init(_ future: Future<Output, Failure>) { self.future = future }
}
