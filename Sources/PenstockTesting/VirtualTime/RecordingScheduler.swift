// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// What a scheduler was asked for.
public enum SchedulerCall<Time: Strideable, Options> {
  /// The present was read.
  case now
  /// The smallest tolerance was read.
  case minimumTolerance
  /// Work as soon as possible.
  case schedule(options: Options?)
  /// Work after a date.
  case scheduleAfter(Time, tolerance: Time.Stride, options: Options?)
  /// Work again and again after a date.
  case scheduleRepeating(Time, interval: Time.Stride, tolerance: Time.Stride, options: Options?)
  /// An end of work that was scheduled again and again, by its place among that: the first has number 0.
  case cancel(Int)
}

extension SchedulerCall: Equatable where Options: Equatable {}

extension SchedulerCall: Sendable where Time: Sendable, Time.Stride: Sendable, Options: Sendable {}

/// A scheduler that writes down what it is asked for, and hands it on to another one.
///
/// ```swift
/// let scheduler = RecordingScheduler(VirtualTimeScheduler())
/// let cancellable = Empty<Int, Never>().receive(on: scheduler).sink { _ in }
/// print(scheduler.calls)
/// // Prints "[PenstockTesting.SchedulerCall<PenstockTesting.VirtualTime, Swift.Never>.schedule(options: nil)]"
/// ```
///
/// **Concurrency:** may be used on any thread if the other scheduler may. No lock is held while that is called.
public final class RecordingScheduler<Base: Scheduler>: Scheduler {
  /// A point in time of the scheduler that does the work.
  public typealias SchedulerTimeType = Base.SchedulerTimeType

  /// The options of the scheduler that does the work.
  public typealias SchedulerOptions = Base.SchedulerOptions

  /// What one call was.
  public typealias Call = SchedulerCall<Base.SchedulerTimeType, Base.SchedulerOptions>

  private struct Log {
    var calls: [Call] = []
    var timers = 0
  }

  /// The scheduler that does the work.
  public let base: Base

  private let log = Guarded(Log())

  /// Makes a scheduler that hands everything on to another one.
  public init(_ base: Base) {
    self.base = base
  }

  /// Everything so far, in order.
  public var calls: [Call] { log.withLock { $0.calls } }

  /// Everything since the last time that this was called, in order.
  public func takeCalls() -> [Call] {
    log.withLock { log in
      let calls = log.calls
      log.calls = []
      return calls
    }
  }

  private func note(_ call: Call) { log.withLock { $0.calls.append(call) } }

  /// The present of the other scheduler.
  public var now: SchedulerTimeType {
    note(.now)
    return base.now
  }

  /// The tolerance of the other scheduler.
  public var minimumTolerance: SchedulerTimeType.Stride {
    note(.minimumTolerance)
    return base.minimumTolerance
  }

  /// Hands an action on.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    note(.schedule(options: options))
    base.schedule(options: options, action)
  }

  /// Hands an action on.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    note(.scheduleAfter(date, tolerance: tolerance, options: options))
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  /// Hands an action on, and writes down when it is cancelled.
  ///
  /// - Returns: The means to stop. Dropping it stops too.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let number = log.withLock { log in
      log.calls.append(.scheduleRepeating(date, interval: interval, tolerance: tolerance, options: options))
      log.timers += 1
      return log.timers - 1
    }
    let timer = base.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    return AnyCancellable { [weak self] in
      self?.note(.cancel(number))
      timer.cancel()
    }
  }
}

extension RecordingScheduler: Sendable where Base: Sendable {}
