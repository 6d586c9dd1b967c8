// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Dispatch
internal import Foundation
internal import PenstockCore

/// An operation that is not ready before a date.
///
/// The timer starts in ``enqueue(on:)``, after the queue has got the operation: Foundation on Linux may not notice that
/// an operation becomes ready while it is being added.
internal final class DelayedOperation: Operation, Cancellable, @unchecked Sendable {
  // `@unchecked`, because the superclass is: all added state is constant or behind a lock.

  private struct State {
    var isDue = false
    var source: (any DispatchSourceTimer)?
  }

  private let date: Date
  private let work: ScheduledWork
  private let state = Guarded(State())

  internal init(at date: Date, _ action: @escaping () -> Void) {
    self.date = date
    work = ScheduledWork(action)
  }

  /// Adds the operation to a queue, where it waits for its date.
  internal func enqueue(on queue: OperationQueue) {
    if !(date.timeIntervalSinceNow > 0) { state.withLock { $0.isDue = true } }
    queue.addOperation(self)
    if state.withLock({ $0.isDue }) {
      // A cancel may have happened while the operation was being added: the queue is notified of it once more.
      return fallDue()
    }
    let source = DispatchSource.makeTimerSource(queue: .global())
    source.schedule(deadline: date.dispatchTime)
    source.setEventHandler { [weak self] in self?.fallDue() }
    // Activated first: Dispatch traps if a source that was never activated is freed.
    source.activate()
    let isOver = state.withLock { state in
      if !state.isDue { state.source = source }
      return state.isDue
    }
    if isOver { source.cancel() }
  }

  private func fallDue() {
    willChangeValue(forKey: "isReady")
    let source = state.withLock { state in
      state.isDue = true
      return state.source.take()
    }
    source?.cancel()
    didChangeValue(forKey: "isReady")
  }

  internal override var isReady: Bool {
    super.isReady && state.withLock { $0.isDue }
  }

  /// Cancels the work, and makes the operation ready, so that the queue removes it at once.
  internal override func cancel() {
    work.cancel()
    super.cancel()
    fallDue()
  }

  internal override func main() {
    work.runOnce()
  }
}

/// An operation that is ready at once.
internal final class ScheduledOperation: BlockOperation, Cancellable, @unchecked Sendable {
  // `@unchecked`, because the superclass is: all added state is constant.

  private let work: ScheduledAction

  internal init(_ action: @escaping () -> Void) {
    work = ScheduledAction(action)
  }

  internal override func main() {
    work.run()
  }
}

/// A series of operations, each of which enqueues the next.
internal final class RepeatedOperations: Cancellable, Sendable {
  private struct State {
    var pending: DelayedOperation?
    var isCancelled = false
  }

  private let queue: OperationQueue
  private let interval: TimeInterval
  private let work: ScheduledWork
  private let state = Guarded(State())

  internal init(on queue: OperationQueue, every interval: TimeInterval, _ action: @escaping () -> Void) {
    self.queue = queue
    self.interval = interval
    work = ScheduledWork(action)
  }

  /// Enqueues the next operation.
  internal func enqueue(at date: Date) {
    let operation = DelayedOperation(at: date) {
      self.work.run()
      self.enqueue(at: Date(timeIntervalSinceNow: self.interval))
    }
    let goesOn = state.withLock { state in
      if !state.isCancelled { state.pending = operation }
      return !state.isCancelled
    }
    guard goesOn else { return }
    operation.enqueue(on: queue)
  }

  internal func cancel() {
    let pending = state.withLock { state in
      state.isCancelled = true
      return state.pending.take()
    }
    work.cancel()
    pending?.cancel()
  }
}
