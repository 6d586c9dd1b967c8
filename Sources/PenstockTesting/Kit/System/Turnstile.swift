// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Lets a number of callers in at a time, and the others in the order in which they have come.
final class Turnstile: Sendable {
  /// The verifications that run at a time.
  static let shared = Turnstile(capacity: 6)

  private let state: Locked<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(capacity: Int) { state = Locked((capacity, [])) }

  func enter() async {
    await withCheckedContinuation { continuation in
      let mayEnter = state.with { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if mayEnter { continuation.resume() }
    }
  }

  func leave() {
    let next = state.with { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
