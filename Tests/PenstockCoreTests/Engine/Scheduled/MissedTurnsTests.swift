// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Turns that are scheduled one after the other.
@Suite struct MissedTurnsTests {
  @Test func `Each turn schedules the next one`() {
    var blocks: [() -> Void] = []
    var turns = 0
    MissedTurns(
      3, ofBlock: 1, schedule: { blocks.append($0) },
      take: { _ in
        turns += 1
        return true
      }
    ).proceed()
    for count in 1...3 {
      #expect(blocks.count == 1)
      blocks.removeFirst()()
      #expect(turns == count)
    }
    #expect(blocks.isEmpty)
  }

  @Test func `A block takes several turns, and the last one those that are left`() {
    var counts: [Int] = []
    MissedTurns(
      10, ofBlock: 4, schedule: { $0() },
      take: {
        counts.append($0)
        return true
      }
    ).proceed()
    #expect(counts == [4, 4, 2])
  }

  @Test func `Nothing is scheduled once a turn says that there is no use`() {
    var turns = 0
    MissedTurns(
      9, ofBlock: 1, schedule: { $0() },
      take: { _ in
        turns += 1
        return turns < 4
      }
    ).proceed()
    #expect(turns == 4)
  }

  @Test func `A scheduler that runs its blocks at once does not grow the stack`() {
    let turns = Locked(0)
    onSmallStack {
      MissedTurns(
        100_000, ofBlock: 1, schedule: { $0() },
        take: { _ in
          turns.change { $0 += 1 }
          return true
        }
      ).proceed()
    }
    #expect(turns.value == 100_000)
  }

  @Test func `Threads take the turns, each once`() {
    let queue = Locked<[UncheckedBlock]>([])
    let turns = Locked(0)
    MissedTurns(
      1_000, ofBlock: 1, schedule: { block in queue.change { $0.append(UncheckedBlock(run: block)) } },
      take: { _ in
        turns.change { $0 += 1 }
        return true
      }
    ).proceed()
    onThreads(3) { _ in
      while turns.value < 1_000 { queue.change { $0.popLast() }?.run() }
    }
    #expect(turns.value == 1_000)
    #expect(queue.value.isEmpty)
  }
}

/// A block that is passed between threads, like a scheduler's blocks.
private struct UncheckedBlock: @unchecked Sendable {
  let run: () -> Void
}
