// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// Serialises actions: one thread at a time owns the loop and performs them.
///
/// The first thread to enter owns the loop and acts at once. Calls that come from its own actions nest, as in Combine.
/// Any other thread puts its signal into a queue, announces it and returns: no thread ever waits for another, so two
/// pipelines that feed each other cannot deadlock. The owner empties the queue before it leaves.
///
/// The queue belongs to the type that uses the loop, and has a lock of its own. It is unbounded, and grows while an
/// action of the owner is running.
///
/// The word holds the owner's thread, or zero; its lowest bit is set while something is queued. To enter and to leave
/// without contention is one atomic exchange each.
///
/// **Ordering.** Entering acquires and leaving releases, so that each owner sees the plain variables as the previous
/// owner left them.
@usableFromInline
package struct DrainLoop: ~Copyable, Sendable {
  @usableFromInline internal let word: AtomicCell<UInt>
  @usableFromInline internal let variables = OwnedVariables()

  @_alwaysEmitIntoClient
  internal static var queuedMark: UInt { 1 }

  @_alwaysEmitIntoClient
  package init() {
    word = AtomicCell(0)
  }

  /// How a thread finds the loop.
  @usableFromInline
  package enum Entry: Sendable {
    /// The loop was free; the thread owns it now, and has to ``leave(_:)``.
    case entered
    /// The thread owns the loop already: the call comes from one of its actions.
    case nested
    /// Another thread owns the loop.
    case busy
  }

  /// Whether a thread owns the loop at this moment, for tools.
  internal var isOwned: Bool { word.load(ordering: .relaxed) != 0 }

  @_alwaysEmitIntoClient
  package borrowing func enter(_ thread: UInt) -> Entry {
    // Loads before it writes: a thread that finds the loop owned by another does not slow the owner down.
    var owner = word.load(ordering: .relaxed)
    if owner == 0 {
      let (exchanged, original) = word.compareExchange(
        expected: 0, desired: thread, successOrdering: .acquiring, failureOrdering: .relaxed)
      if exchanged { return .entered }
      owner = original
    }
    return owner & ~Self.queuedMark == thread ? .nested : .busy
  }

  /// Gives up ownership, unless something is queued.
  ///
  /// - Returns: Whether the loop is free. If not, the owner has to perform what is queued, and call this again.
  @_alwaysEmitIntoClient
  package borrowing func leave(_ thread: UInt) -> Bool {
    let left = word.compareExchange(
      expected: thread, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
    if !left {
      spin()
      // The mark is cleared before the queue is read: a thread that queues something afterwards sets it again. A
      // relaxed store suffices for a queue whose lock the owner takes next; see the proof at `SerialQueue`. State that
      // no lock guards needs a fence between the store and the read, as in `BufferSubscription.leave(_:)`.
      acknowledge(thread)
    }
    return left
  }

  /// Spins for a moment, in which other threads may queue more.
  ///
  /// Threads that send at the same time usually do so repeatedly. Taking each signal out of the queue on its own would
  /// move the queue's cache lines back and forth between the threads, which costs ten times as much as the signals
  /// themselves. When the wait was introduced, a value of two threads that send to one `PassthroughSubject` went from
  /// 50 to 200 ns down to 20, to a `CurrentValueSubject` from 200 to 380 ns down to 32.
  ///
  /// The wait is bounded, and does not give up the processor: if the other threads have none, it costs the owner the
  /// thousand loads, and no thread waits for another.
  @usableFromInline @inline(never)
  internal borrowing func spin() {
    // No thread writes to the word while it bears the mark, so the loads hit the cache.
    word.linger(loads: 1000)
  }

  /// Clears the mark without leaving: the owner is about to read the queue, under the queue's lock.
  @usableFromInline
  internal borrowing func acknowledge(_ thread: UInt) {
    word.store(thread, ordering: .relaxed)
  }

  /// Whether no thread owns the loop at this moment, and so the calling thread does not either.
  @_alwaysEmitIntoClient
  internal var isFree: Bool { word.load(ordering: .relaxed) == 0 }

  /// Whether something is queued.
  ///
  /// Reliable for the owner, since only the owner clears the mark.
  @_alwaysEmitIntoClient
  package var isAnnounced: Bool {
    word.load(ordering: .relaxed) & Self.queuedMark != 0
  }

  /// Asserts, in builds with the define `PENSTOCK_CHECKS`, that the calling thread owns the loop: it is about to use a
  /// variable that belongs to the owner.
  @_alwaysEmitIntoClient @inline(__always)
  package borrowing func assertOwned() {
    variables.access()
    #if PENSTOCK_CHECKS
      if !isOwnedByCaller { trap(.brokenInvariant("a thread uses what belongs to the owner of a loop")) }
    #endif
  }

  #if PENSTOCK_CHECKS
    /// Not inlinable, because client code must not compute a thread's number; see ``currentThread()``.
    @usableFromInline
    internal var isOwnedByCaller: Bool { word.load(ordering: .relaxed) & ~Self.queuedMark == currentThread() }
  #endif

  /// Reports that something has been queued.
  ///
  /// - Returns: Whether the loop was free. In that case the calling thread owns it now, and has to leave it.
  @_alwaysEmitIntoClient
  package borrowing func announce(_ thread: UInt) -> Bool {
    var owner = word.load(ordering: .relaxed)
    while true {
      if owner & Self.queuedMark != 0 { return false }
      let (exchanged, original) = word.weakCompareExchange(
        expected: owner, desired: (owner == 0 ? thread : owner) | Self.queuedMark,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged { return owner == 0 }
      owner = original
    }
  }
}
