// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore

// Correct: a serial scheduler on a thread of its own, in real time. Unusual: the thread only exists while something is
// scheduled; a date in the past counts as now; a repeating action that is late catches up, without drift; dropping the
// token of a repeating action cancels it, and a cancel takes it off the agenda at once.
final class Workbench: Scheduler, @unchecked Sendable {
  // `@unchecked`: the condition's lock guards all mutable state.

  typealias SchedulerOptions = Never

  struct Span: SignedNumeric, Comparable, SchedulerTimeIntervalConvertible {
    var magnitude: Int  // nanoseconds

    init(_ nanoseconds: Int) { magnitude = nanoseconds }
    init(integerLiteral value: Int) { self.init(value) }
    init?<T: BinaryInteger>(exactly source: T) {
      guard let value = Int(exactly: source) else { return nil }
      self.init(value)
    }

    static func < (a: Span, b: Span) -> Bool { a.magnitude < b.magnitude }
    static func + (a: Span, b: Span) -> Span { Span(a.magnitude + b.magnitude) }
    static func - (a: Span, b: Span) -> Span { Span(a.magnitude - b.magnitude) }
    static func * (a: Span, b: Span) -> Span { Span(a.magnitude * b.magnitude) }
    static func *= (a: inout Span, b: Span) { a = a * b }
    static func seconds(_ s: Int) -> Span { Span(s * 1_000_000_000) }
    static func seconds(_ s: Double) -> Span { Span(Int(s * 1e9)) }
    static func milliseconds(_ ms: Int) -> Span { Span(ms * 1_000_000) }
    static func microseconds(_ us: Int) -> Span { Span(us * 1_000) }
    static func nanoseconds(_ ns: Int) -> Span { Span(ns) }
  }

  struct Moment: Strideable {
    var nanoseconds: Int

    func distance(to other: Moment) -> Span { Span(other.nanoseconds - nanoseconds) }
    func advanced(by span: Span) -> Moment { Moment(nanoseconds: nanoseconds + span.magnitude) }
  }

  private final class Job {
    let action: () -> Void
    let interval: Span?
    var date: Moment
    var isCancelled = false

    init(at date: Moment, every interval: Span? = nil, _ action: @escaping () -> Void) {
      (self.action, self.interval, self.date) = (action, interval, date)
    }
  }

  private let condition = NSCondition()
  private var agenda: [Job] = []  // by date, equal dates in the order of their coming
  private var isWorking = false

  var now: Moment { Moment(nanoseconds: Int(DispatchTime.now().uptimeNanoseconds)) }
  var minimumTolerance: Span { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    enter(Job(at: now, action))
  }

  func schedule(after date: Moment, tolerance: Span, options: Never?, _ action: @escaping () -> Void) {
    enter(Job(at: max(date, now), action))
  }

  func schedule(
    after date: Moment, interval: Span, tolerance: Span, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let job = Job(at: max(date, now), every: max(interval, .nanoseconds(1)), action)
    enter(job)
    return AnyCancellable { self.leave(job) }
  }

  private func enter(_ job: Job) {
    let mustStart = condition.withLock {
      guard !job.isCancelled else { return false }
      agenda.insert(job, at: agenda.firstIndex { $0.date > job.date } ?? agenda.endIndex)
      condition.signal()
      defer { isWorking = true }
      return !isWorking
    }
    if mustStart { Thread.detachNewThread { while self.workOnce() {} } }
  }

  private func leave(_ job: Job) {
    condition.withLock {
      job.isCancelled = true
      agenda.removeAll { $0 === job }
      condition.signal()
    }
  }

  private func workOnce() -> Bool {
    condition.lock()
    while let wait = agenda.first.map({ now.distance(to: $0.date) }), wait > 0 {
      _ = condition.wait(until: Date(timeIntervalSinceNow: Double(wait.magnitude) / 1e9))
    }
    guard !agenda.isEmpty else {
      isWorking = false
      condition.unlock()
      return false
    }
    let job = agenda.removeFirst()
    condition.unlock()
    job.action()
    if let interval = job.interval {
      job.date = job.date.advanced(by: interval)
      enter(job)
    }
    return true
  }
}
