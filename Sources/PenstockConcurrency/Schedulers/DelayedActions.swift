// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
internal import PenstockCore

/// The actions of a scheduler that wait for their dates, sorted by date, and those with the same date in the order in
/// which they were scheduled.
///
/// Tasks that sleep until the same date, or until two dates close together, wake in any order. So none of them has an
/// action of its own: each performs the first one in the list. That is never too early, since the date of the first is
/// not later than any other; and there are as many tasks as actions.
internal final class DelayedActions<Instant: InstantProtocol>: Sendable {
  private typealias Entry = (date: Instant, action: UncheckedAction)

  private let waiting = Guarded<Deque<Entry>>([])

  internal func add(_ action: @escaping () -> Void, at date: Instant) {
    let entry: Entry = (date, UncheckedAction(perform: action))
    waiting.withLock { waiting in
      // Usually the new action goes after all others.
      var (low, high) = (0, waiting.count)
      if let last = waiting.last, last.date <= date { low = high }
      while low < high {
        let middle = (low + high) / 2
        if waiting[middle].date <= date { low = middle + 1 } else { high = middle }
      }
      waiting.insert(entry, at: low)
    }
  }

  internal func performFirst() {
    waiting.withLock { $0.popFirst() }?.action.perform()
  }
}
