// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Synchronization

/// Threads that wait for work, so that a run need not start threads.
final class Crew: Sendable {
  private final class Member: @unchecked Sendable {
    let start = DispatchSemaphore(value: 0)
    let work = Guard<(@Sendable () -> Void)?>(nil)
  }

  private let members: [Member]
  private let done = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    let done = done
    members = (0..<count).map { _ in Member() }
    for member in members {
      let thread = Thread {
        while true {
          member.start.wait()
          // Released before the thread reports that it is done.
          member.work.change { $0.take() }?()
          done.signal()
        }
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
  }

  /// Runs each piece of work on a thread of its own and the tasks on the pool, and returns when all have finished.
  func run(_ pieces: [@Sendable () -> Void], tasks: [@Sendable () async -> Void]) {
    let gate = StartingGate(pieces.count)
    for (member, piece) in zip(members, pieces) {
      member.work.change {
        $0 = {
          gate.wait()
          piece()
        }
      }
      member.start.signal()
    }
    if !tasks.isEmpty {
      let done = done
      Task.detached {
        await withTaskGroup(of: Void.self) { group in
          for task in tasks { group.addTask { await task() } }
        }
        done.signal()
      }
    }
    for _ in 0..<pieces.count + (tasks.isEmpty ? 0 : 1) { done.wait() }
  }
}

/// Releases all threads when the last one has arrived.
private final class StartingGate: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) { missing = Atomic(count) }

  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}
