// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import Synchronization

/// Counts the turns that wait, so that one block at a time is with the scheduler, and takes many of them.
///
/// The thread that counts the first turn schedules the block; later turns are only counted. A block takes the waiting
/// turns up to a maximum, and is followed by another one if more are left, so that other work of the scheduler runs in
/// between.
@usableFromInline
internal struct WaitingTurns: ~Copyable, Sendable {
  /// The number of turns that are due and have not been taken; those of a block are counted until it has taken them.
  @usableFromInline internal let count = AtomicCell<UInt>(0)

  /// The thread that is scheduling a block, or zero; plus one as soon as the block has run during that call.
  ///
  /// See ``MissedTurns``.
  @usableFromInline internal let scheduling = AtomicCell<UInt>(0)

  @inlinable
  internal init() {}

  /// Counts turns that are due.
  ///
  /// - Returns: Whether none was waiting, so that the caller has to ``begin(_:)``.
  @inlinable
  internal borrowing func add(_ more: Int) -> Bool {
    // Releases what has been put into the queue before.
    count.wrappingAdd(UInt(bitPattern: more), ordering: .acquiringAndReleasing).oldValue == 0
  }

  /// Schedules a block that takes turns, and the blocks after it as long as they run at once.
  ///
  /// - Parameter schedule: Schedules a block that calls ``take(upTo:_:next:)``.
  @usableFromInline
  internal borrowing func begin(_ schedule: () -> Void) {
    let thread = currentThread()
    while true {
      scheduling.store(thread, ordering: .relaxed)
      schedule()
      // Marked only where turns are left, and while they are, nobody else schedules.
      let found = scheduling.compareExchange(expected: thread, desired: 0, ordering: .relaxed).original
      guard found == thread | 1 else { return }
    }
  }

  /// Takes turns; called by the block.
  ///
  /// - Parameters:
  ///   - most: The maximum number of turns.
  ///   - turns: Takes a number of turns.
  ///   - next: Calls ``begin(_:)``; called if turns are left, unless the thread that scheduled this block does so.
  @usableFromInline
  internal borrowing func take(upTo most: Int, _ turns: (Int) -> Void, next: () -> Void) {
    let thread = currentThread()
    let isAtOnce = scheduling.load(ordering: .relaxed) == thread
    let waiting = min(Int(bitPattern: count.load(ordering: .acquiring)), most)
    if waiting > 0 { turns(waiting) }
    let left = count.wrappingAdd(UInt(bitPattern: -waiting), ordering: .acquiringAndReleasing).newValue
    if left == 0 { return }
    if isAtOnce { scheduling.store(thread | 1, ordering: .relaxed) } else { next() }
  }
}
