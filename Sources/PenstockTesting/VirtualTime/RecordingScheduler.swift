// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A call that a scheduler received.
public enum SchedulerCall<Time: Strideable, Options> {
  /// The current time was read.
  case now
  /// The minimum tolerance was read.
  case minimumTolerance
  /// An action was scheduled to run as soon as possible.
  case schedule(options: Options?)
  /// An action was scheduled to run after a date.
  case scheduleAfter(Time, tolerance: Time.Stride, options: Options?)
  /// An action was scheduled to run repeatedly after a date.
  case scheduleRepeating(Time, interval: Time.Stride, tolerance: Time.Stride, options: Options?)
  /// A repeated action was cancelled; the number is its place among the repeated actions, from 0.
  case cancel(Int)
}

extension SchedulerCall: Equatable where Options: Equatable {}

extension SchedulerCall: Sendable where Time: Sendable, Time.Stride: Sendable, Options: Sendable {}

/// A scheduler that records the calls it receives, and forwards them to another scheduler.
///
/// ```swift
/// let scheduler = RecordingScheduler(VirtualTimeScheduler())
/// let cancellable = Empty<Int, Never>().receive(on: scheduler).sink { _ in }
/// print(scheduler.calls)
/// // Prints "[PenstockTesting.SchedulerCall<PenstockTesting.VirtualTime, Swift.Never>.schedule(options: nil)]"
/// ```
///
/// **Concurrency:** may be used on any thread if the other scheduler may. No lock is held while that one is called.
public final class RecordingScheduler<Base: Scheduler>: Scheduler {
  /// The type of a point in time of the other scheduler.
  public typealias SchedulerTimeType = Base.SchedulerTimeType

  /// The type of the options of the other scheduler.
  public typealias SchedulerOptions = Base.SchedulerOptions

  /// The type of a recorded call.
  public typealias Call = SchedulerCall<Base.SchedulerTimeType, Base.SchedulerOptions>

  private struct Log {
    var calls: [Call] = []
    var timers = 0
  }

  /// The scheduler that the calls are forwarded to.
  public let base: Base

  private let log = Guarded(Log())

  /// Creates a scheduler that forwards calls to another one.
  public init(_ base: Base) {
    self.base = base
  }

  /// All calls so far, in order.
  public var calls: [Call] { log.withLock { $0.calls } }

  /// Returns the calls since the last time that this method was called, in order.
  public func takeCalls() -> [Call] {
    log.withLock { log in
      let calls = log.calls
      log.calls = []
      return calls
    }
  }

  private func note(_ call: Call) { log.withLock { $0.calls.append(call) } }

  /// The current time of the other scheduler.
  public var now: SchedulerTimeType {
    note(.now)
    return base.now
  }

  /// The minimum tolerance of the other scheduler.
  public var minimumTolerance: SchedulerTimeType.Stride {
    note(.minimumTolerance)
    return base.minimumTolerance
  }

  /// Forwards an action.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    note(.schedule(options: options))
    base.schedule(options: options, action)
  }

  /// Forwards an action.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    note(.scheduleAfter(date, tolerance: tolerance, options: options))
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  /// Forwards an action, and records when it is cancelled.
  ///
  /// - Returns: A cancellable; the action is no longer repeated when it is cancelled or deallocated.
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
