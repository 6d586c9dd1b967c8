// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// Schedules a number of missed turns, each one by the block of the turn before it.
///
/// So the turns run one at a time, and other work of the same scheduler runs in between. Scheduling all of them at once
/// from another thread would wake the scheduler's thread for each.
@usableFromInline
package final class MissedTurns {
  @usableFromInline internal let take: (Int) -> Bool
  @usableFromInline internal let schedule: (@escaping () -> Void) -> Void

  /// The number of turns that one block takes.
  @usableFromInline internal let countOfBlock: Int

  /// The number of turns that are left; accessed only by the block that takes a turn, or by the thread that schedules
  /// it.
  @exclusivity(unchecked) @usableFromInline internal var left: Int

  /// The thread that is scheduling a block, or zero; the thread's number, which is even, plus one as soon as the block
  /// has run during the call that schedules it.
  internal let scheduling = AtomicCell<UInt>(0)

  /// - Parameters:
  ///   - count: The number of missed turns, at least one.
  ///   - countOfBlock: The number of turns that one block takes.
  ///   - schedule: Schedules a block.
  ///   - take: Takes a number of turns, and returns whether further turns are useful.
  @_alwaysEmitIntoClient
  package init(
    _ count: Int, ofBlock countOfBlock: Int, schedule: @escaping (@escaping () -> Void) -> Void,
    take: @escaping (Int) -> Bool
  ) {
    left = count
    self.countOfBlock = countOfBlock
    self.schedule = schedule
    self.take = take
  }

  /// Schedules the next turn.
  ///
  /// On a scheduler that runs its blocks at once this is a loop, not a recursion.
  @usableFromInline
  package func proceed() {
    let thread = currentThread()
    repeat {
      scheduling.store(thread, ordering: .relaxed)
      schedule { self.run() }
      // A block on another thread may have scheduled further turns by now: only a mark of this thread counts.
      let found = scheduling.compareExchange(expected: thread, desired: 0, ordering: .relaxed).original
      guard found == thread | 1 else { return }
    } while left > 0
  }

  private func run() {
    let thread = currentThread()
    let isAtOnce = scheduling.load(ordering: .relaxed) == thread
    let count = min(left, countOfBlock)
    left = take(count) ? left - count : 0
    if isAtOnce {
      scheduling.store(thread | 1, ordering: .relaxed)
    } else if left > 0 {
      proceed()
    }
  }
}
