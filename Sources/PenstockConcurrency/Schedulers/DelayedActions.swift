// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
internal import PenstockCore

/// The actions of a scheduler that wait for their dates, sorted by them, and those of one date as they were scheduled.
///
/// Tasks that sleep until one date, or until two dates close together, wake in any order. So none of them brings an action of
/// its own: each has the first one performed. That is never too early, since the date of the first is not later than that of
/// any other; and there are as many turns as there are actions.
internal final class DelayedActions<Instant: InstantProtocol>: Sendable {
  private typealias Entry = (date: Instant, action: UncheckedAction)

  private let waiting = Guarded<Deque<Entry>>([])

  internal func add(_ action: @escaping () -> Void, at date: Instant) {
    let entry: Entry = (date, UncheckedAction(perform: action))
    waiting.withLock { waiting in
      // Mostly behind all others.
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
