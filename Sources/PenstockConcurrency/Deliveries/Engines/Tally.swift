// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A number that somebody may wait for until it is zero.
package final class Tally: Sendable {
  private struct State {
    var count = 0
    var waiters: [Int: UnsafeContinuation<Void, Never>] = [:]
    var number = 0
  }

  private let state = Guarded(State())

  package init() {}

  package var count: Int { state.withLock { $0.count } }

  /// - Returns: The new number.
  @discardableResult
  package func add(_ difference: Int) -> Int {
    let (count, waiters) = state.withLock { state -> (Int, [Int: UnsafeContinuation<Void, Never>]) in
      state.count += difference
      return (state.count, state.count == 0 ? exchange(&state.waiters, with: [:]) : [:])
    }
    for waiter in waiters.values { waiter.resume() }
    return count
  }

  package func waitForZero(until end: ContinuousClock.Instant) async {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let alarm = Task {
      try? await ContinuousClock().sleep(until: end)
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
    await state.suspend { state, waiter in
      if state.count == 0 || ContinuousClock.now >= end { return () }
      state.waiters[number] = waiter
      return nil
    }
    alarm.cancel()
  }
}
