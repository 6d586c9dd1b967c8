// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork
import Synchronization

/// What has been confirmed, and what has been done.
final class Ledger: Sendable {
  struct Sums: Sendable, Equatable {
    var confirmed = 0
    /// Orders that have been worked on.
    var done = 0
    /// Orders that have been worked on once more than needed.
    var repeated = 0
    /// Deliveries of an order that had been delivered before.
    var redelivered = 0
  }

  private struct State {
    var sums = Sums()
    var confirmed: [Bool] = []
    var done: [Bool] = []
    var lastDone = ContinuousClock.now
    var longestSilence = Duration.zero
    var notes: [String] = []
  }

  private let state = Mutex(State())

  func add(_ report: Report, from name: String) {
    state.withLock { state in
      switch report {
      case .confirmed(let numbers):
        for number in numbers where Self.set(number, in: &state.confirmed) { state.sums.confirmed += 1 }
      case .done(let number, let attempt):
        if Self.set(number, in: &state.done) { state.sums.done += 1 } else { state.sums.repeated += 1 }
        if attempt > 1 { state.sums.redelivered += 1 }
        let now = ContinuousClock.now
        state.longestSilence = max(state.longestSilence, now - state.lastDone)
        state.lastDone = now
      case .counts: break
      case .note(let text): state.notes.append("\(name): \(text)")
      }
    }
  }

  func note(_ text: String) { state.withLock { $0.notes.append(text) } }

  var sums: Sums { state.withLock { $0.sums } }

  /// The longest time in which no order was done although there was work to do.
  var longestSilence: Duration { state.withLock { $0.longestSilence } }

  /// Begins to look for the longest time again.
  func beginSilence() {
    state.withLock { ($0.longestSilence, $0.lastDone) = (.zero, .now) }
  }

  /// Returns the notes since the last call.
  func takeNotes() -> [String] {
    state.withLock { state in
      defer { state.notes = [] }
      return state.notes
    }
  }

  /// The orders that the server has confirmed, and that no worker has worked on.
  var missing: [Int] {
    state.withLock { state in
      state.confirmed.indices.filter { state.confirmed[$0] && !(state.done.indices.contains($0) && state.done[$0]) }
    }
  }

  /// - Returns: Whether it was not set before.
  private static func set(_ number: Int, in flags: inout [Bool]) -> Bool {
    if flags.count <= number { flags += Array(repeating: false, count: max(number + 1 - flags.count, flags.count)) }
    defer { flags[number] = true }
    return !flags[number]
  }
}
