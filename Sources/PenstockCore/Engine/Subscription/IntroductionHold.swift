// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The introduction of a subscriber: the time in which its `receive(subscription:)` runs.
///
/// Requests of that thread during the call are served at once, as in Combine. A request or a result of another thread
/// would reach a subscriber that is still busy: it is held, and the introducing thread serves it when the call has
/// returned. No thread waits.
@usableFromInline
package struct IntroductionHold: ~Copyable, Sendable {
  /// The introducing thread, or zero after the introduction; the lowest bit is set while a request is held.
  @usableFromInline internal let word: AtomicCell<UInt>

  private static var heldMark: UInt { 1 }

  /// Begins the introduction, on the calling thread.
  ///
  /// Not inlinable, because client code must not compute a thread's number; see ``currentThread()``.
  @usableFromInline
  package init() {
    word = AtomicCell(currentThread())
  }

  /// Begins the introduction, for a subscription that was created before, perhaps on another thread.
  @usableFromInline
  package borrowing func begin() { word.store(currentThread(), ordering: .releasing) }

  /// Whether the introduction is over, on all threads.
  @_alwaysEmitIntoClient
  package var isOver: Bool { word.load(ordering: .acquiring) == 0 }

  /// Whether the calling thread may serve a request at once.
  @_alwaysEmitIntoClient
  package var isOpen: Bool { isOver || isWithin }

  /// Whether the calling thread is the introducing thread.
  ///
  /// Reliable only until the introduction is over.
  @usableFromInline
  package var isWithin: Bool {
    word.load(ordering: .relaxed) & ~Self.heldMark == currentThread()
  }

  /// Holds a request, which the caller has recorded, for the introducing thread.
  ///
  /// - Returns: Whether it is held; if not, the introduction is over.
  @usableFromInline
  package borrowing func holdBack() -> Bool {
    var thread = word.load(ordering: .relaxed)
    while thread != 0 {
      // Exchanged even if the mark is set already: the exchange releases the caller's record, so that the introducing
      // thread sees the last of several requests, too.
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
  /// - Returns: Whether requests are held, which the caller has to serve now.
  @usableFromInline
  package borrowing func end() -> Bool {
    word.exchange(0, ordering: .acquiringAndReleasing) & Self.heldMark != 0
  }
}
