// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

struct LapTime: Strideable {
  struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    var nanoseconds: Int

    init(nanoseconds: Int) { self.nanoseconds = nanoseconds }
    init(integerLiteral value: Int) { nanoseconds = value }
    init?<T: BinaryInteger>(exactly source: T) {
      guard let value = Int(exactly: source) else { return nil }
      nanoseconds = value
    }

    var magnitude: UInt { nanoseconds.magnitude }

    static func < (a: Stride, b: Stride) -> Bool { a.nanoseconds < b.nanoseconds }
    static func + (a: Stride, b: Stride) -> Stride { Stride(nanoseconds: a.nanoseconds + b.nanoseconds) }
    static func - (a: Stride, b: Stride) -> Stride { Stride(nanoseconds: a.nanoseconds - b.nanoseconds) }
    static func * (a: Stride, b: Stride) -> Stride { Stride(nanoseconds: a.nanoseconds * b.nanoseconds) }
    static func *= (a: inout Stride, b: Stride) { a = a * b }

    static func seconds(_ s: Int) -> Stride { Stride(nanoseconds: s * 1_000_000_000) }
    static func seconds(_ s: Double) -> Stride { Stride(nanoseconds: Int((s * 1_000_000_000).rounded())) }
    static func milliseconds(_ ms: Int) -> Stride { Stride(nanoseconds: ms * 1_000_000) }
    static func microseconds(_ us: Int) -> Stride { Stride(nanoseconds: us * 1_000) }
    static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }
  }

  var nanoseconds: Int

  func distance(to other: LapTime) -> Stride { Stride(nanoseconds: other.nanoseconds - nanoseconds) }
  func advanced(by n: Stride) -> LapTime { LapTime(nanoseconds: nanoseconds + n.nanoseconds) }
}

// Breaks: T-06 – the cancellable of repeating work removes the waiting entry; while the action runs there is none, and
// the entry is put back afterwards. It shows when repeating work is cancelled from inside its own action (the first or
// a later one): it continues forever. Cancelling between two runs works. @unchecked Sendable: the lock guards all
// mutable state.
final class LapClock: Scheduler, @unchecked Sendable {
  typealias SchedulerOptions = Never

  private struct Entry {
    let id: Int
    let date: LapTime
    let interval: LapTime.Stride?
    let action: () -> Void
  }

  private let lock = NSLock()
  private var time = LapTime(nanoseconds: 0)
  private var entries: [Entry] = []
  private var lastID = 0

  var now: LapTime { lock.withLock { time } }
  var minimumTolerance: LapTime.Stride { 0 }
  var pendingCount: Int { lock.withLock { entries.count } }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    add(date: now, interval: nil, action)
  }

  func schedule(
    after date: LapTime, tolerance: LapTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    add(date: date, interval: nil, action)
  }

  func schedule(
    after date: LapTime, interval: LapTime.Stride, tolerance: LapTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let id = add(date: date, interval: max(interval, 1), action)
    return AnyCancellable { [weak self] in self?.remove(id) }
  }

  // Runs all work that is due until then, in the order of the dates; an advance by 0 runs the work that is due now.
  func advance(by stride: LapTime.Stride) {
    let end = now.advanced(by: stride)
    while let entry = takeDue(until: end) {
      entry.action()
      guard let interval = entry.interval else { continue }
      let date = entry.date.advanced(by: interval)
      lock.withLock { insert(Entry(id: entry.id, date: date, interval: interval, action: entry.action)) }
    }
    lock.withLock { time = max(time, end) }
  }

  @discardableResult
  private func add(date: LapTime, interval: LapTime.Stride?, _ action: @escaping () -> Void) -> Int {
    lock.withLock {
      lastID += 1
      insert(Entry(id: lastID, date: max(date, time), interval: interval, action: action))
      return lastID
    }
  }

  private func insert(_ entry: Entry) {
    let place = entries.firstIndex { $0.date > entry.date } ?? entries.endIndex
    entries.insert(entry, at: place)
  }

  private func takeDue(until end: LapTime) -> Entry? {
    lock.withLock {
      guard let first = entries.first, first.date <= end else { return nil }
      time = max(time, first.date)
      return entries.removeFirst()
    }
  }

  private func remove(_ id: Int) {
    let removed = lock.withLock { () -> Entry? in
      guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
      return entries.remove(at: place)
    }
    _ = removed
  }
}
