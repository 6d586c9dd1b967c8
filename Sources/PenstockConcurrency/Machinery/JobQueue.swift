// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// Elements that any thread appends, and that one job at a time performs, in order.
///
/// There is no task for each element: the thread that finds the queue at rest starts a job, and the job performs what
/// has been appended meanwhile, batch after batch, until it finds nothing.
package struct JobQueue<Element>: ~Copyable, @unchecked Sendable {
  // `@unchecked`: the elements are handed from one thread to one job.

  // Not private: the compiler (6.3.1) would refer to its metadata from other files in vain.
  internal struct State {
    var waiting: [Element] = []
    var isRunning = false
    var hasEnded = false
  }

  internal let state = Guarded(State())

  package init() {}

  /// How many elements are performed before a job lets others have the actor.
  private static var elementsInTurn: Int { 256 }

  /// Whether no job is running, so that nothing waits either.
  package var isAtRest: Bool { state.withLock { !$0.isRunning } }

  /// Appends an element; drops it if the queue has ended.
  ///
  /// - Returns: Whether the caller has to start a job.
  package borrowing func append(_ element: Element) -> Bool {
    state.withLock { state in
      if state.hasEnded { return false }
      state.waiting.append(element)
      defer { state.isRunning = true }
      return !state.isRunning
    }
  }

  /// Performs what waits, up to the number of elements after which a job lets others have the actor.
  ///
  /// - Parameters:
  ///   - batch: What the job has taken from the queue; empty at first.
  ///   - perform: Performs an element.
  /// - Returns: Whether the job has to come again; otherwise it is over.
  package borrowing func performTurn(_ batch: inout ArraySlice<Element>, _ perform: (Element) -> Void) -> Bool {
    if batch.isEmpty, !takeBatch(&batch) { return false }
    for element in batch.prefix(Self.elementsInTurn) { perform(element) }
    batch = batch.dropFirst(Self.elementsInTurn)
    return true
  }

  /// Exchanges an empty slice for what has been appended.
  ///
  /// If that is nothing, the job is over.
  ///
  /// - Returns: Whether there is something to perform.
  private borrowing func takeBatch(_ batch: inout ArraySlice<Element>) -> Bool {
    batch = state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      return state.waiting.takeAll()
    }
    return !batch.isEmpty
  }

  /// Ends the queue: what waits is dropped, and so is what comes later.
  package borrowing func end() {
    // Freed outside the lock: the elements are the user's.
    let waiting = state.withLock { state in
      state.hasEnded = true
      return state.waiting.takeAll()
    }
    withExtendedLifetime(waiting) {}
  }
}

extension Array {
  /// The elements, of which none remain.
  fileprivate mutating func takeAll() -> ArraySlice<Element> {
    defer { self = [] }
    return self[...]
  }
}
