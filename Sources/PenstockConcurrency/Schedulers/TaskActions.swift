// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// An action on its way to the job that performs it.
internal struct UncheckedAction: @unchecked Sendable {
  // `@unchecked`: a scheduler's actions are stored unchanged, and called where the user has asked for it.
  let perform: () -> Void
}

/// The actions of a scheduler that one job performs in order.
internal final class TaskActions: Sendable {
  private let queue = JobQueue<UncheckedAction>()
  private let start: @Sendable (TaskActions) -> Void

  internal init(_ start: @escaping @Sendable (TaskActions) -> Void) { self.start = start }

  internal func append(_ action: @escaping () -> Void) {
    if queue.append(UncheckedAction(perform: action)) { start(self) }
  }

  internal func settled() async { await queue.rest() }

  /// The job, on an actor.
  internal func run<A: Actor>(on actor: isolated A) async {
    var batch = Batch()
    while performTurn(&batch) { await Task.yield() }
  }

  /// The job, on the threads on which it has been started.
  internal func run() async {
    var batch = Batch()
    while performTurn(&batch) { await Task.yield() }
  }

  /// The job, on the calling thread, until nothing waits.
  internal func runToEnd() {
    var batch = Batch()
    while performTurn(&batch) {}
  }

  internal typealias Batch = JobQueue<UncheckedAction>.Batch

  /// Performs the waiting actions, up to the number after which other work should have the thread.
  ///
  /// - Returns: Whether the job has to come again.
  internal func performTurn(_ batch: inout Batch) -> Bool {
    queue.performTurn(&batch) { $0.perform() }
  }
}
