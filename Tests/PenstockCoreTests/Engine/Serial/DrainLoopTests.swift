// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct DrainLoopTests {
  /// A loop in an object: the macros of the tests need a copyable value.
  private final class Loop: Sendable {
    private let loop = DrainLoop()
    func enter(_ thread: UInt) -> DrainLoop.Entry { loop.enter(thread) }
    func leave(_ thread: UInt) -> Bool { loop.leave(thread) }
    func announce(_ thread: UInt) -> Bool { loop.announce(thread) }
  }

  private let me: UInt = 0x1000
  private let other: UInt = 0x2000

  @Test func `The first one enters, nests, and keeps others out`() {
    let loop = Loop()
    #expect(loop.enter(me) == .entered)
    #expect(loop.enter(me) == .nested)
    #expect(loop.enter(other) == .busy)
    #expect(loop.leave(me))
    #expect(loop.enter(other) == .entered)
  }

  @Test func `The owner cannot leave before it has looked at the queue`() {
    let loop = Loop()
    #expect(loop.enter(me) == .entered)
    #expect(!loop.announce(other))
    #expect(!loop.announce(other))
    #expect(loop.enter(me) == .nested)
    #expect(loop.enter(other) == .busy)
    #expect(!loop.leave(me))
    #expect(loop.leave(me))
  }

  @Test func `A thread that announces to a free loop owns it, and has to look at the queue`() {
    let loop = Loop()
    #expect(loop.announce(me))
    #expect(loop.enter(me) == .nested)
    #expect(!loop.leave(me))
    #expect(loop.leave(me))
  }

  @Test func `Nothing that is queued from many threads is lost or overlaps`() {
    final class Queue: @unchecked Sendable {
      let loop = DrainLoop()
      let queue = Guarded<[Int]>([])
      // Accessed only by the owner: the thread sanitizer checks that.
      var performed = 0
      var inside = false

      func drain() {
        let items = queue.withLock { items in
          let taken = items
          items = []
          return taken
        }
        for item in items {
          precondition(!inside)
          inside = true
          performed += item
          inside = false
        }
      }

      func submit(_ item: Int) {
        let thread = currentThread()
        queue.withLock { $0.append(item) }
        if loop.announce(thread) {
          while !loop.leave(thread) { drain() }
        }
      }
    }
    let queue = Queue()
    onThreads(4) { _ in
      for _ in 0..<5_000 { queue.submit(1) }
    }
    #expect(queue.performed == 20_000)
  }
}
