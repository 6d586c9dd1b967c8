// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Tasks that wait for something behind a lock.
@Suite struct GuardedSuspendingTests {
  private final class Doorbell: Sendable {
    struct State {
      var rings = 0
      var waiter: UnsafeContinuation<Int, Never>?
    }

    let state = Guarded(State())

    /// Returns the number of the next ring; at once, if it has rung already.
    func ring() async -> Int {
      await state.suspend { state, waiter in
        if state.rings > 0 { return state.rings }
        state.waiter = waiter
        return nil
      }
    }

    func press() {
      let (waiter, number) = state.withLock { state in
        state.rings += 1
        return (state.waiter.take(), state.rings)
      }
      waiter?.resume(returning: number)
    }
  }

  @Test func `A task continues at once with a result that has come before, and no continuation is kept`() async {
    let doorbell = Doorbell()
    doorbell.press()
    #expect(await doorbell.ring() == 1)
    #expect(doorbell.state.withLock { $0.waiter == nil })
  }

  @Test func `A task waits until the continuation that it has stored is resumed`() async {
    let doorbell = Doorbell()
    let ring = Task { await doorbell.ring() }
    #expect(await reached { doorbell.state.withLock { $0.waiter != nil } })
    doorbell.press()
    #expect(await ring.value == 1)
  }

  @Test(arguments: 1...200)
  func `Nothing that comes between the look and the wait is missed`(_ round: Int) async {
    let doorbell = Doorbell()
    let ring = Task { await doorbell.ring() }
    let press = Task.detached { doorbell.press() }
    #expect(await ring.value == 1)
    await press.value
  }
}
