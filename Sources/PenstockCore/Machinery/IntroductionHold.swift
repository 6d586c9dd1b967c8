// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The time in which a source hands a subscriber its subscription.
///
/// A request from inside of that call is answered there and then, as in Combine. One that another thread makes meanwhile
/// would deliver to a subscriber that is still busy; so it is held back, and the thread that introduces answers it when
/// that call has returned. No thread waits.
@usableFromInline
package struct IntroductionHold: ~Copyable, Sendable {
  /// The thread that introduces, until that is over; its lowest bit says that something is held back.
  @usableFromInline internal let word: Atomic<UInt>

  private static var heldMark: UInt { 1 }

  /// Begins, on the calling thread.
  ///
  /// Not inlinable: the number of a thread is not computed in a client's code.
  @usableFromInline
  package init() {
    word = Atomic(currentThread())
  }

  /// Whether a request may be answered, by the calling thread, where it is made.
  @inlinable
  package var isOpen: Bool {
    word.load(ordering: .acquiring) == 0 || isWithin
  }

  /// Whether the calling thread is the one that introduces.
  ///
  /// Only to be relied on as long as that is not over.
  @usableFromInline
  package var isWithin: Bool {
    word.load(ordering: .relaxed) & ~Self.heldMark == currentThread()
  }

  /// Has the thread that introduces answer a request, which has been put down before.
  ///
  /// - Returns: Whether it will; if not, the introduction is over.
  @usableFromInline
  package borrowing func holdBack() -> Bool {
    var thread = word.load(ordering: .relaxed)
    while thread != 0 {
      // Written even where the mark is there already, so that the last of several requests is seen, too.
      let (exchanged, original) = word.weakCompareExchange(
        expected: thread, desired: thread | Self.heldMark, successOrdering: .acquiringAndReleasing,
        failureOrdering: .acquiring)
      if exchanged { return true }
      thread = original
    }
    return false
  }

  /// Ends the introduction.
  ///
  /// - Returns: Whether there are requests to be answered now.
  @usableFromInline
  package borrowing func end() -> Bool {
    word.exchange(0, ordering: .acquiringAndReleasing) & Self.heldMark != 0
  }
}
