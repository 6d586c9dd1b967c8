// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct GuardedTests {
  private final class Box<State>: Sendable {
    let guarded: Guarded<State>
    init(_ state: State) { guarded = Guarded(state) }
  }

  @Test func `The closure changes the state and returns what to do`() {
    let box = Box([1, 2])
    let last = box.guarded.withLock { $0.popLast() }
    #expect(last == 2)
    #expect(box.guarded.withLock { $0 } == [1])
  }

  @Test func `One thread at a time`() {
    let box = Box(0)
    onThreads(4) { _ in
      for _ in 0..<10_000 { box.guarded.withLock { $0 += 1 } }
    }
    #expect(box.guarded.withLock { $0 } == 40_000)
  }

  @Test func `What is taken out is freed outside of the lock`() {
    final class Closing {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
      deinit { atEnd() }
    }
    let box = Box<Closing?>(nil)
    var freed = false
    box.guarded.withLock { state in
      // Its deinit takes the lock again, and would deadlock if the lock were held.
      state = Closing { freed = box.guarded.withLock { $0 == nil } }
    }
    _ = box.guarded.withLock { $0.take() }
    #expect(freed)
  }

  @Test func `The state is freed with its owner`() {
    var graveyard = Graveyard()
    do {
      let box = Box(graveyard.watch(Canary()))
      #expect(box.guarded.withLock { $0 === $0 })
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
