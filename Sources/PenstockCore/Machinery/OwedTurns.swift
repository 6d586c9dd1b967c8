// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// Turns that are still to be scheduled: each one by the block of the turn before it.
///
/// So they come one at a time, and what others give to the same scheduler has its turn in between. Scheduling them all
/// at once from another thread would wake the scheduler's own for each of them.
@usableFromInline
package final class OwedTurns {
  @usableFromInline internal let take: () -> Bool
  @usableFromInline internal let schedule: (@escaping () -> Void) -> Void

  /// How many are left; belongs to the block whose turn it is.
  @exclusivity(unchecked) @usableFromInline internal var left: Int

  /// The thread that is handing a block to the scheduler, or zero; one more than its number, which is even, as soon as
  /// the block has run on that thread, inside of its own scheduling.
  @usableFromInline internal let scheduling = Atomic<UInt>(0)

  /// - Parameters:
  ///   - count: How many turns are owed, at least one.
  ///   - schedule: Gives a block to the scheduler.
  ///   - take: Takes a turn, and says whether there is any use in others.
  @inlinable
  package init(_ count: Int, schedule: @escaping (@escaping () -> Void) -> Void, take: @escaping () -> Bool) {
    left = count
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
      // A block on another thread may be far ahead by now: only what this thread finds of itself counts.
      let found = scheduling.compareExchange(expected: thread, desired: 0, ordering: .relaxed).original
      guard found == thread | 1 else { return }
    } while left > 0
  }

  private func run() {
    let thread = currentThread()
    let isAtOnce = scheduling.load(ordering: .relaxed) == thread
    left = take() ? left - 1 : 0
    if isAtOnce {
      scheduling.store(thread | 1, ordering: .relaxed)
    } else if left > 0 {
      proceed()
    }
  }
}
