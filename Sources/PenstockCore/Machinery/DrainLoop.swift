// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// One emitting thread at a time.
///
/// Whoever enters first owns the loop and acts at once. What the owner does from inside of its own actions nests at
/// once too, as it does in Combine. Anybody else puts what it wants done into a queue, announces it and goes on: no
/// thread ever waits for another one, so two pipelines that feed each other cannot deadlock. The owner carries the
/// queue out before it leaves.
///
/// The queue is the user's, behind a lock of its own; it has no bound, and grows while the owner is held up in one of
/// its actions.
///
/// The word holds the owner's thread, or zero; its lowest bit says that something is queued. Entering and leaving are
/// one atomic exchange each.
@usableFromInline
package struct DrainLoop: ~Copyable, Sendable {
  @usableFromInline internal let word: Atomic<UInt>

  @inlinable
  internal static var queuedMark: UInt { 1 }

  @inlinable
  package init() {
    word = Atomic(0)
  }

  /// How a thread finds the loop.
  @usableFromInline
  package enum Entry: Sendable {
    /// It was free, and belongs to the thread now, which has to ``leave(_:)``.
    case entered
    /// It belongs to the thread already: the call comes from inside of an action.
    case nested
    /// It belongs to another thread.
    case busy
  }

  @inlinable
  package borrowing func enter(_ thread: UInt) -> Entry {
    // Looked at before it is written to: a thread that finds the loop taken does not slow its owner down.
    var owner = word.load(ordering: .relaxed)
    if owner == 0 {
      let (exchanged, original) = word.compareExchange(
        expected: 0, desired: thread, successOrdering: .acquiring, failureOrdering: .relaxed)
      if exchanged { return .entered }
      owner = original
    }
    return owner & ~Self.queuedMark == thread ? .nested : .busy
  }

  /// Leaves the loop to the next thread, unless something is queued.
  ///
  /// - Returns: Whether the loop has been left. If not, the owner has to carry out what is in the queue, and try again.
  @inlinable
  package borrowing func leave(_ thread: UInt) -> Bool {
    let left = word.compareExchange(
      expected: thread, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
    if !left {
      linger()
      // The mark goes before the queue is looked at: what is queued after that sets it again.
      acknowledge(thread)
    }
    return left
  }

  /// Waits for a moment, in which more may be queued.
  ///
  /// Threads that send at the same time do so again and again. To take each signal out of the queue by itself would make
  /// the queue's cache lines go to and fro between them, which costs ten times as much as the signals.
  @usableFromInline
  internal borrowing func linger() {
    // Loads that the compiler keeps. Nobody writes to the word as long as it bears the mark, so they stay in the cache.
    for _ in 0..<1000 { _ = word.load(ordering: .relaxed) }
  }

  /// Takes the mark back, without leaving: the owner is about to look into the queue.
  @usableFromInline
  internal borrowing func acknowledge(_ thread: UInt) {
    word.store(thread, ordering: .relaxed)
  }

  /// Whether something is queued.
  ///
  /// The owner, who alone takes that back, can rely on it.
  @inlinable
  package var isAnnounced: Bool {
    word.load(ordering: .relaxed) & Self.queuedMark != 0
  }

  /// Says that something has been queued.
  ///
  /// - Returns: Whether the loop was free by then. It belongs to the calling thread now, which has to leave it.
  @inlinable
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
