// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

// Correct: a clock that a test moves. Actions are kept in order, by date and then as they were scheduled; a repeating
// one is put back before it runs, so that it can cancel itself; an action for a past date is due at once, and does not
// set the clock back.
final class CalendarClock: Scheduler {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private struct Entry {
    let date: VirtualTime
    let number: Int
    let id: Int
    let interval: VirtualTime.Stride?
    let action: () -> Void
  }

  private let lock = NSLock()
  private var time = VirtualTime.zero
  private var entries: [Entry] = []  // in order
  private var count = 0

  var now: VirtualTime { lock.withLock { time } }
  var minimumTolerance: VirtualTime.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    lock.withLock { _ = enter(time, nil, nil, action) }
  }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    lock.withLock { _ = enter(date, nil, nil, action) }
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let id = lock.withLock { enter(date, interval > 0 ? interval : .milliseconds(1), nil, action) }
    return AnyCancellable { [weak self] in self?.strike(id) }
  }

  // Under the lock.
  private func enter(
    _ date: VirtualTime, _ interval: VirtualTime.Stride?, _ id: Int?, _ action: @escaping () -> Void
  ) -> Int {
    count += 1
    // A past date becomes the present one: actions that are due already come first.
    let date = date < time ? time : date
    let place = entries.firstIndex { $0.date > date } ?? entries.count
    entries.insert(Entry(date: date, number: count, id: id ?? count, interval: interval, action: action), at: place)
    return id ?? count
  }

  private func strike(_ id: Int) {
    let struck = lock.withLock { entries.firstIndex { $0.id == id }.map { entries.remove(at: $0) } }
    withExtendedLifetime(struck) {}
  }

  func advance(by length: VirtualTime.Stride) {
    let target = now.advanced(by: length)
    while let entry = lock.withLock({ next(until: target) }) { entry.action() }
    lock.withLock { if time < target { time = target } }
  }

  private func next(until target: VirtualTime) -> Entry? {
    guard let entry = entries.first, entry.date <= target else { return nil }
    entries.removeFirst()
    if time < entry.date { time = entry.date }
    if let interval = entry.interval {
      _ = enter(entry.date.advanced(by: interval), interval, entry.id, entry.action)
    }
    return entry
  }
}
