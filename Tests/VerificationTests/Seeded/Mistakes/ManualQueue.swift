// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: T-06 – the clock is set to the date of each job that runs, even when that date is already past. Shows when
// work is scheduled `after:` a date earlier than `now`: while it runs, and until the clock catches up, `now` is that
// earlier date. (Past dates do run, at the next `advance`.)
final class ManualQueue: Scheduler {
  struct Moment: Strideable, Hashable {
    var nanoseconds: Int
    func distance(to other: Moment) -> Gap { Gap(nanoseconds: other.nanoseconds - nanoseconds) }
    func advanced(by gap: Gap) -> Moment { Moment(nanoseconds: nanoseconds + gap.nanoseconds) }
  }

  struct Gap: SignedNumeric, Comparable, SchedulerTimeIntervalConvertible {
    var nanoseconds: Int
    init(nanoseconds: Int) { self.nanoseconds = nanoseconds }
    init(integerLiteral nanoseconds: Int) { self.nanoseconds = nanoseconds }
    init?<T: BinaryInteger>(exactly source: T) {
      guard let nanoseconds = Int(exactly: source) else { return nil }
      self.nanoseconds = nanoseconds
    }
    var magnitude: Int { abs(nanoseconds) }
    static func < (a: Gap, b: Gap) -> Bool { a.nanoseconds < b.nanoseconds }
    static func + (a: Gap, b: Gap) -> Gap { Gap(nanoseconds: a.nanoseconds + b.nanoseconds) }
    static func - (a: Gap, b: Gap) -> Gap { Gap(nanoseconds: a.nanoseconds - b.nanoseconds) }
    static func * (a: Gap, b: Gap) -> Gap { Gap(nanoseconds: a.nanoseconds * b.nanoseconds) }
    static func *= (a: inout Gap, b: Gap) { a = a * b }
    static func seconds(_ s: Int) -> Gap { Gap(nanoseconds: s * 1_000_000_000) }
    static func seconds(_ s: Double) -> Gap { Gap(nanoseconds: Int(s * 1_000_000_000)) }
    static func milliseconds(_ ms: Int) -> Gap { Gap(nanoseconds: ms * 1_000_000) }
    static func microseconds(_ us: Int) -> Gap { Gap(nanoseconds: us * 1000) }
    static func nanoseconds(_ ns: Int) -> Gap { Gap(nanoseconds: ns) }
  }

  private struct Job {
    let id: Int
    var date: Moment
    let interval: Gap?
    let action: () -> Void
  }

  private let lock = NSLock()
  private var jobs: [Job] = []  // by date; equal dates in the order they came
  private var time = Moment(nanoseconds: 0)
  private var lastID = 0

  var now: Moment { lock.withLock { time } }
  var minimumTolerance: Gap { .nanoseconds(0) }
  var pendingJobs: Int { lock.withLock { jobs.count } }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    add(at: nil, every: nil, action)
  }

  func schedule(after date: Moment, tolerance: Gap, options: Never?, _ action: @escaping () -> Void) {
    add(at: date, every: nil, action)
  }

  func schedule(
    after date: Moment, interval: Gap, tolerance: Gap, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let id = add(at: date, every: max(interval, .nanoseconds(1)), action)
    return AnyCancellable { [weak self] in self?.remove(id) }
  }

  // Runs, in order, the jobs that are due until then, each at its date.
  func advance(by gap: Gap) {
    let target = now.advanced(by: gap)
    while let job = lock.withLock({ next(until: target) }) { job.action() }
    lock.withLock { time = max(time, target) }
  }

  @discardableResult
  private func add(at date: Moment?, every interval: Gap?, _ action: @escaping () -> Void) -> Int {
    lock.withLock {
      lastID += 1
      insert(Job(id: lastID, date: date ?? time, interval: interval, action: action))
      return lastID
    }
  }

  private func insert(_ job: Job) {
    jobs.insert(job, at: jobs.firstIndex { $0.date > job.date } ?? jobs.endIndex)
  }

  private func remove(_ id: Int) {
    _ = lock.withLock { jobs.firstIndex { $0.id == id }.map { jobs.remove(at: $0) } }
  }

  private func next(until target: Moment) -> Job? {
    guard let job = jobs.first, job.date <= target else { return nil }
    jobs.removeFirst()
    time = job.date
    if let interval = job.interval {
      var again = job
      again.date = job.date.advanced(by: interval)
      insert(again)
    }
    return job
  }
}
