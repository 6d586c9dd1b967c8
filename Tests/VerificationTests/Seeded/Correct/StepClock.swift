// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: virtual time. Work runs only in `advance(by:)`, by date and then in the order it was scheduled; past dates
// are due at once and leave the clock alone; each tick of a repeating job is put back before it runs.
final class StepClock: Scheduler {
  struct Instant: Strideable, Hashable {
    var nanoseconds = 0
    func distance(to other: Instant) -> Length { Length(other.nanoseconds - nanoseconds) }
    func advanced(by length: Length) -> Instant { Instant(nanoseconds: nanoseconds + length.magnitude) }
  }

  struct Length: SignedNumeric, Comparable, SchedulerTimeIntervalConvertible {
    // Nanoseconds, with their sign.
    var magnitude: Int
    init(_ nanoseconds: Int) { magnitude = nanoseconds }
    init(integerLiteral nanoseconds: Int) { magnitude = nanoseconds }
    init?<T: BinaryInteger>(exactly source: T) {
      guard let nanoseconds = Int(exactly: source) else { return nil }
      magnitude = nanoseconds
    }
    static func < (a: Length, b: Length) -> Bool { a.magnitude < b.magnitude }
    static func + (a: Length, b: Length) -> Length { Length(a.magnitude + b.magnitude) }
    static func - (a: Length, b: Length) -> Length { Length(a.magnitude - b.magnitude) }
    static func * (a: Length, b: Length) -> Length { Length(a.magnitude * b.magnitude) }
    static func *= (a: inout Length, b: Length) { a = a * b }
    static func seconds(_ s: Int) -> Length { Length(s * 1_000_000_000) }
    static func seconds(_ s: Double) -> Length { Length(Int(s * 1_000_000_000)) }
    static func milliseconds(_ ms: Int) -> Length { Length(ms * 1_000_000) }
    static func microseconds(_ us: Int) -> Length { Length(us * 1000) }
    static func nanoseconds(_ ns: Int) -> Length { Length(ns) }
  }

  private struct Job {
    var date: Instant
    var turn: Int
    let id: Int
    let interval: Length?
    let action: () -> Void
  }

  private let lock = NSLock()
  private var time = Instant()
  private var turns = 0
  private var jobs: [Job] = []  // in no order

  var now: Instant { lock.withLock { time } }
  var minimumTolerance: Length { Length(0) }
  var pendingJobs: Int { lock.withLock { jobs.count } }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    add(at: nil, every: nil, action)
  }

  func schedule(after date: Instant, tolerance: Length, options: Never?, _ action: @escaping () -> Void) {
    add(at: date, every: nil, action)
  }

  func schedule(
    after date: Instant, interval: Length, tolerance: Length, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let id = add(at: date, every: max(interval, Length(1)), action)
    return AnyCancellable { [weak self] in
      _ = self?.lock.withLock { self?.jobs.firstIndex { $0.id == id }.map { self?.jobs.remove(at: $0) } }
    }
  }

  func advance(by length: Length) {
    let target = now.advanced(by: length)
    while let job = lock.withLock({ next(until: target) }) { job.action() }
    lock.withLock { time = max(time, target) }
  }

  @discardableResult
  private func add(at date: Instant?, every interval: Length?, _ action: @escaping () -> Void) -> Int {
    lock.withLock {
      turns += 1
      jobs.append(Job(date: date ?? time, turn: turns, id: turns, interval: interval, action: action))
      return turns
    }
  }

  private func next(until target: Instant) -> Job? {
    let order = jobs.indices.min { (jobs[$0].date, jobs[$0].turn) < (jobs[$1].date, jobs[$1].turn) }
    guard let index = order, jobs[index].date <= target else { return nil }
    let job = jobs[index]
    time = max(time, job.date)
    turns += 1
    if let interval = job.interval {
      (jobs[index].date, jobs[index].turn) = (job.date.advanced(by: interval), turns)
    } else {
      jobs.remove(at: index)
    }
    return job
  }
}
