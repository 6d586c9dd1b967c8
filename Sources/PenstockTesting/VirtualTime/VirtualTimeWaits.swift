// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The tasks that wait until a number of actions are scheduled, or a number of tasks sleep.
internal final class VirtualTimeWaits: Sendable {
  /// The numbers of scheduled actions and sleeping tasks.
  struct Counts {
    var scheduled = 0
    var asleep = 0
  }

  /// Why a wait has ended.
  enum Outcome: Sendable {
    case reached, tooManyEvents, cancelled
  }

  private struct Wait {
    let isReached: (Counts) -> Bool
    var eventsLeft: Int
    /// `nil` until the task has been suspended.
    var continuation: UnsafeContinuation<Outcome, Never>?
    /// Set if the wait has ended before the task has been suspended.
    var outcome: Outcome?
  }

  private struct State {
    var waits: [Int: Wait] = [:]
    var count = 0

    /// Ends waits.
    ///
    /// - Returns: The tasks to resume.
    mutating func end(_ outcome: (Int, inout Wait) -> Outcome?) -> [(UnsafeContinuation<Outcome, Never>, Outcome)] {
      var ended: [(UnsafeContinuation<Outcome, Never>, Outcome)] = []
      for number in waits.keys.sorted() {
        guard waits[number]!.outcome == nil, let outcome = outcome(number, &waits[number]!) else { continue }
        waits[number]!.outcome = outcome
        if let continuation = waits[number]!.continuation { ended.append((continuation, outcome)) }
      }
      return ended
    }
  }

  private let state = Guarded(State())

  /// Whether nobody waits.
  var isEmpty: Bool { state.withLock { $0.waits.isEmpty } }

  /// Whether a wait has not ended.
  var hasOpen: Bool { state.withLock { $0.waits.values.contains { $0.outcome == nil } } }

  /// Whether a certain wait has not ended.
  func isOpen(_ number: Int) -> Bool { state.withLock { $0.waits[number].map { $0.outcome == nil } ?? false } }

  private func end(_ outcome: (Int, inout Wait) -> Outcome?) {
    for (continuation, outcome) in state.withLock({ $0.end(outcome) }) { continuation.resume(returning: outcome) }
  }

  /// Begins a wait, so that nothing that happens from now on is missed.
  ///
  /// - Returns: The number of the wait.
  func begin(maxEvents: Int, until isReached: @escaping (Counts) -> Bool) -> Int {
    state.withLock { state in
      state.count += 1
      state.waits[state.count] = Wait(isReached: isReached, eventsLeft: maxEvents)
      return state.count
    }
  }

  /// Suspends until a wait has ended.
  func outcome(of number: Int) async -> Outcome {
    let outcome = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let outcome = state.withLock { state in
          state.waits[number]!.continuation = continuation
          return state.waits[number]!.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      end { ended, _ in ended == number ? .cancelled : nil }
    }
    state.withLock { _ = $0.waits.removeValue(forKey: number) }
    return outcome
  }

  /// Ends the waits that these numbers satisfy.
  func note(_ counts: Counts) {
    end { _, wait in wait.isReached(counts) ? .reached : nil }
  }

  /// Takes an event off the budget of all waits: a scheduled action, or a turn of a task.
  func noteTurn() {
    end { _, wait in
      wait.eventsLeft -= 1
      return wait.eventsLeft < 0 ? .tooManyEvents : nil
    }
  }
}
