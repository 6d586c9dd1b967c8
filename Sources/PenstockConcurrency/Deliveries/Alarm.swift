// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// An object that an ``Alarm`` rings for.
package protocol AlarmOwner: AnyObject, Sendable {
  /// Does what is due, and sets the alarm for what is due next.
  func ring()
}

/// One task that sleeps until the first of many dates.
///
/// A task that sleeps until a date stays in the runtime's list of timers until then, even if it is cancelled. So an
/// alarm is only replaced by an earlier one, and stays when there is nothing to ring for any more: an alarm that rings
/// early finds nothing to do.
package final class Alarm: Sendable {
  private struct State {
    /// The date at which it rings; `nil` if it is not set.
    var date: Duration?
    /// The number of the current alarm; others do not count any more.
    var number = 0
    var task: Task<Void, Never>?
  }

  private let time: QueueTime
  private let state = Guarded(State())

  package init(_ time: QueueTime) { self.time = time }

  deinit { state.withLock { $0.task }?.cancel() }

  /// Calls the owner at a date, at the latest.
  ///
  /// It must not be called under a lock, since it starts and cancels tasks.
  package func set(_ date: Duration, for owner: some AlarmOwner) {
    let change = state.withLock { state -> (number: Int, replaced: Task<Void, Never>?)? in
      if let current = state.date, current <= date { return nil }
      state.date = date
      state.number += 1
      return (state.number, state.task.take())
    }
    guard let (number, replaced) = change else { return }
    replaced?.cancel()
    // Detached, since it rings for many, and must not keep what belongs to the first caller's task. Weak, since nothing
    // is due for an owner that has been released.
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
