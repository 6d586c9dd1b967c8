// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A queue of elements that any thread appends, and that one job at a time performs, in order.
///
/// There is no task for each element: the thread that finds the queue at rest starts a job, and the job performs what
/// has been appended meanwhile, batch after batch, until it finds nothing.
@usableFromInline
package struct JobQueue<Element>: ~Copyable, @unchecked Sendable {
  // `@unchecked`: the elements are handed from one thread to one job. The code for an element is inlinable: without
  // knowing the element's type, it costs ten times as much. The code that takes the lock is not inlined, though, since
  // the jobs are asynchronous functions of the client; see `Guarded`.

  /// The elements that a job has taken from the queue, and how many of them it has performed.
  @usableFromInline
  package struct Batch {
    @usableFromInline internal var elements: [Element] = []
    @usableFromInline internal var next = 0

    @inlinable
    package init() {}
  }

  // Not private: the compiler (6.3.1) would refer to its metadata from other files, and not find it.
  @usableFromInline
  internal struct State {
    @usableFromInline var waiting: [Element] = []
    @usableFromInline var isRunning = false
    @usableFromInline var hasEnded = false
    /// The tasks that wait until no job is running.
    @usableFromInline var resting: [UnsafeContinuation<Void, Never>] = []

    @inlinable
    init() {}
  }

  @usableFromInline internal let state: Guarded<State>

  @inlinable
  package init() { state = Guarded(State()) }

  /// How many elements are performed before a job lets other work have the actor.
  @inlinable
  internal static var elementsInTurn: Int { 256 }

  /// The largest batch whose memory is used again.
  @inlinable
  internal static var largestKept: Int { 4096 }

  /// Suspends until no job is running, so that no element waits either.
  package borrowing func rest() async {
    await state.suspend { state, waiter in
      guard state.isRunning else { return () }
      state.resting.append(waiter)
      return nil
    }
  }

  /// How many elements wait for a job to take them.
  package var count: Int { state.withLock { $0.waiting.count } }

  /// Appends an element; drops it if the queue has ended.
  ///
  /// - Returns: Whether the caller has to start a job.
  @inlinable
  package borrowing func append(_ element: Element) -> Bool {
    state.withLock { state in
      if state.hasEnded { return false }
      state.waiting.append(element)
      defer { state.isRunning = true }
      return !state.isRunning
    }
  }

  /// Performs the waiting elements, up to the number after which a job lets other work have the actor.
  ///
  /// - Parameters:
  ///   - batch: The elements that the job has taken from the queue; empty at first.
  ///   - perform: Performs an element.
  /// - Returns: Whether the job has to come again; otherwise it has ended.
  @inlinable
  package borrowing func performTurn(_ batch: inout Batch, _ perform: (Element) -> Void) -> Bool {
    if batch.next == batch.elements.count, !takeBatch(&batch) { return false }
    let end = min(batch.elements.count, batch.next + Self.elementsInTurn)
    while batch.next < end {
      defer { batch.next += 1 }
      perform(batch.elements[batch.next])
    }
    return true
  }

  /// Exchanges a batch that has been performed for the elements that have been appended since.
  ///
  /// If there are none, the job has ended.
  ///
  /// - Returns: Whether there is something to perform.
  @inlinable @inline(never)
  internal borrowing func takeBatch(_ batch: inout Batch) -> Bool {
    // Done before the lock is taken: the elements are the user's, and freeing them may run the user's code.
    batch.elements.removeAll(keepingCapacity: batch.elements.capacity <= Self.largestKept)
    batch.next = 0
    let (isRunning, resting) = state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      swap(&state.waiting, &batch.elements)
      if state.isRunning || state.resting.isEmpty { return (state.isRunning, [] as [UnsafeContinuation<Void, Never>]) }
      defer { state.resting = [] }
      return (false, state.resting)
    }
    for task in resting { task.resume() }
    return isRunning
  }

  /// Ends the queue: waiting elements are dropped, and so are later ones.
  package borrowing func end() {
    // Freed outside the lock: the elements are the user's.
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = [] }
      return state.waiting
    }
    withExtendedLifetime(waiting) {}
  }
}
