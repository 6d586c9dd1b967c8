// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: T-06 – an action scheduled for the same date as waiting ones is put before them: equal dates run last in,
// first out.
struct Turn: Strideable, Sendable {
  struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Sendable {
    var magnitude: Int
    init(_ value: Int) { magnitude = value }
    init(integerLiteral value: Int) { magnitude = value }
    init?<T: BinaryInteger>(exactly source: T) {
      guard let value = Int(exactly: source) else { return nil }
      magnitude = value
    }
    static func < (a: Self, b: Self) -> Bool { a.magnitude < b.magnitude }
    static func + (a: Self, b: Self) -> Self { Self(a.magnitude + b.magnitude) }
    static func - (a: Self, b: Self) -> Self { Self(a.magnitude - b.magnitude) }
    static func * (a: Self, b: Self) -> Self { Self(a.magnitude * b.magnitude) }
    static func *= (a: inout Self, b: Self) { a = a * b }
    static func seconds(_ s: Int) -> Self { Self(s * 1_000_000_000) }
    static func seconds(_ s: Double) -> Self { Self(Int(s * 1e9)) }
    static func milliseconds(_ ms: Int) -> Self { Self(ms * 1_000_000) }
    static func microseconds(_ us: Int) -> Self { Self(us * 1000) }
    static func nanoseconds(_ ns: Int) -> Self { Self(ns) }
  }
  var nanoseconds = 0
  func distance(to other: Turn) -> Stride { Stride(other.nanoseconds - nanoseconds) }
  func advanced(by n: Stride) -> Turn { Turn(nanoseconds: nanoseconds + n.magnitude) }
}

// All mutable state is guarded by the lock.
final class TurnClock: Scheduler, @unchecked Sendable {
  typealias SchedulerTimeType = Turn
  typealias SchedulerOptions = Never
  private let lock = NSLock()
  private var time = Turn()
  private var waiting: [(date: Turn, action: () -> Void)] = []
  var now: Turn { lock.withLock { time } }
  var minimumTolerance: Turn.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    schedule(after: now, tolerance: 0, options: nil, action)
  }

  func schedule(after date: Turn, tolerance: Turn.Stride, options: Never?, _ action: @escaping () -> Void) {
    lock.withLock {
      let due = max(date, time)
      let index = waiting.firstIndex { $0.date >= due } ?? waiting.endIndex
      waiting.insert((due, action), at: index)
    }
  }

  func schedule(
    after date: Turn, interval: Turn.Stride, tolerance: Turn.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let series = TurnSeries(action)
    repeatedly(series, date, max(interval, Turn.Stride(1)))
    return series
  }

  private func repeatedly(_ series: TurnSeries, _ date: Turn, _ interval: Turn.Stride) {
    schedule(after: date, tolerance: 0, options: nil) { [unowned self] in
      guard series.run() else { return }
      repeatedly(series, date.advanced(by: interval), interval)
    }
  }

  // Runs the actions that are due until then, and sets the time.
  func advance(by stride: Turn.Stride) {
    let end = now.advanced(by: stride)
    while let action = takeNext(until: end) { action() }
    lock.withLock { time = max(time, end) }
  }

  private func takeNext(until end: Turn) -> (() -> Void)? {
    lock.withLock {
      guard let first = waiting.first, first.date <= end else { return nil }
      time = max(time, first.date)
      return waiting.removeFirst().action
    }
  }
}

// The action is guarded by the lock.
private final class TurnSeries: Cancellable, @unchecked Sendable {
  private let lock = NSLock()
  private var action: (() -> Void)?
  init(_ action: @escaping () -> Void) { self.action = action }

  // Returns whether the series continues.
  func run() -> Bool {
    lock.withLock { action }?()
    return lock.withLock { action != nil }
  }

  func cancel() {
    let old = lock.withLock {
      let old = action
      action = nil
      return old
    }
    withExtendedLifetime(old) {}
  }
}
