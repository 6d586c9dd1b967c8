// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockOperatorsFoundation
import PenstockTesting

/// The time in which a scenario runs: real time for a person who watches, or fast-forwarded time.
///
/// It is the scheduler of everything that waits in a scenario. In real time it is the main queue, and a scenario that
/// waits runs the main run loop. Fast, it is a clock that jumps to the next date at which work is due.
public final class Tempo: Scheduler, Sendable {
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  public typealias SchedulerOptions = DispatchQueue.SchedulerOptions

  /// The fast clock; `nil` in real time.
  private let clock: VirtualTimeScheduler<SchedulerTimeType, SchedulerOptions>?

  /// Signals a scenario without scheduled work that another thread has made progress.
  private let arrivals = DispatchSemaphore(value: 0)

  private init(clock: VirtualTimeScheduler<SchedulerTimeType, SchedulerOptions>?) {
    self.clock = clock
  }

  /// Real time, which needs the main thread.
  public static var real: Tempo { Tempo(clock: nil) }

  /// A fast clock of its own, on which waiting takes no time.
  public static var fast: Tempo {
    Tempo(clock: VirtualTimeScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1_000_000_000))))
  }

  /// Whether time is real.
  var isReal: Bool { clock == nil }

  // MARK: A scheduler

  public var now: SchedulerTimeType { clock?.now ?? DispatchQueue.main.now }

  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    guard let clock else { return DispatchQueue.main.schedule(options: options, action) }
    clock.schedule(options: options, action)
    arrivals.signal()
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    guard let clock else {
      return DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: options, action)
    }
    clock.schedule(after: date, tolerance: tolerance, options: options, action)
    arrivals.signal()
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    guard let clock else {
      return DispatchQueue.main.schedule(
        after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
    defer { arrivals.signal() }
    return clock.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }

  // MARK: Sources of time

  /// The timer of the operators: on the main queue, or on the fast clock.
  func timer(interval: DispatchTimeInterval, times: Subscribers.Demand) -> AnyPublisher<DispatchTime, Never> {
    if let clock { return Publishers.timer(scheduler: clock, interval: interval, times: times).eraseToAnyPublisher() }
    return Publishers.timer(queue: .main, interval: interval, times: times).eraseToAnyPublisher()
  }

  /// Foundation's timer, which needs a run loop; fast, a timer on the clock that ticks at the same times.
  func ticks(every seconds: Int) -> AnyPublisher<Void, Never> {
    if !isReal {
      return timer(interval: .seconds(seconds), times: .unlimited).map { _ in }.eraseToAnyPublisher()
    }
    return Timer.publish(every: TimeInterval(seconds), on: .main, in: .common)
      .autoconnect()
      .map { _ in }
      .eraseToAnyPublisher()
  }

  /// An output stream that puts the seconds since this call before each line.
  func logger(to page: Page, sinceOrigin: Bool = true) -> TimeLogger {
    let origin = now
    return TimeLogger(
      sinceOrigin: sinceOrigin,
      elapsed: { .nanoseconds(origin.distance(to: self.now).magnitude) },
      output: { page.print($0) })
  }

  // MARK: Waiting

  /// Lets time pass, and runs the work that is due in it.
  func run(for interval: SchedulerTimeType.Stride) {
    if let clock { return clock.advance(by: interval) }
    let end = now.advanced(by: interval)
    while now < end { runMainLoop(atMost: now.distance(to: end)) }
  }

  /// Lets time pass until something has happened.
  func run(until isDone: () -> Bool) {
    while !isDone() {
      guard let clock else {
        runMainLoop(atMost: .milliseconds(10))
        continue
      }
      if clock.step() { continue }
      // A server's response, for example, takes real time even here.
      if arrivals.wait(timeout: .now() + 60) == .timedOut { fatalError("A scenario waits for what never happens.") }
    }
  }

  /// Subscribes to a publisher, and lets time pass until it completes.
  func runToEnd<P: Publisher>(
    of publisher: P, receiveCompletion: @escaping (Subscribers.Completion<P.Failure>) -> Void = { _ in },
    receiveValue: @escaping (P.Output) -> Void
  ) {
    var isDone = false
    let cancellable = publisher.sink(
      receiveCompletion: { completion in
        receiveCompletion(completion)
        isDone = true
      },
      receiveValue: receiveValue)
    run { isDone }
    cancellable.cancel()
  }

  private func runMainLoop(atMost interval: SchedulerTimeType.Stride) {
    precondition(Thread.isMainThread, "In real time a scenario runs on the main thread.")
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: Double(interval.magnitude) / 1e9))
  }
}
