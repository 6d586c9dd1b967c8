// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// What an ``Alarm`` rings for.
internal protocol AlarmOwner: AnyObject, Sendable {
  /// Does what is due, and sets the alarm for what is due next.
  func ring()
}

/// One task that sleeps until the first of many dates.
///
/// A task that sleeps until a date stays in the runtime's list of timers until then, also if it is cancelled. So an alarm is
/// replaced by an earlier one only, and stays when there is nothing to ring for any more: one that is early finds nothing to do.
internal final class Alarm: Sendable {
  private struct State {
    /// When it rings; `nil` if it is not set.
    var date: Duration?
    /// Which one it is; others are over.
    var number = 0
    var task: Task<Void, Never>?
  }

  private let time: QueueTime
  private let state = Guarded(State())

  internal init(_ time: QueueTime) { self.time = time }

  deinit { state.withLock { $0.task }?.cancel() }

  /// Lets the owner know at a date, at the latest.
  ///
  /// Not to be called under a lock: it starts and cancels tasks.
  internal func set(_ date: Duration, for owner: some AlarmOwner) {
    let change = state.withLock { state -> (number: Int, replaced: Task<Void, Never>?)? in
      if let current = state.date, current <= date { return nil }
      state.date = date
      state.number += 1
      return (state.number, state.task.take())
    }
    guard let (number, replaced) = change else { return }
    replaced?.cancel()
    // Detached: it rings for many, and is not to hold what the first one brings along. Weak: an owner that is gone has nothing due.
    let task = Task.detached { [weak self, weak owner, time] in
      do { try await time.sleep(date) } catch { return }
      if self?.end(number) == true { owner?.ring() }
    }
    let isCurrent = state.withLock { state in
      if state.number == number, state.date != nil { state.task = task }
      return state.number == number
    }
    // It has been replaced meanwhile.
    if !isCurrent { task.cancel() }
  }

  /// - Returns: Whether the alarm counts: it has not been replaced.
  private func end(_ number: Int) -> Bool {
    let (counts, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      guard state.number == number else { return (false, nil) }
      state.date = nil
      return (true, state.task.take())
    }
    withExtendedLifetime(task) {}
    return counts
  }
}
