// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import PenstockCore
public import PenstockDispatch
internal import PenstockOperators

/// The configuration of a ``PenstockCore/Publishers/DispatchTimer``.
public struct DispatchTimerConfiguration: Sendable {
  /// The queue to deliver on; `nil` for a global queue.
  public var queue: DispatchQueue?

  /// The time between two ticks, and before the first.
  public var interval: DispatchTimeInterval

  /// The time by which a tick may be late.
  public var leeway: DispatchTimeInterval

  /// The number of values after which the timer finishes.
  public var times: Subscribers.Demand

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - queue: The queue to deliver on; `nil` for a global queue.
  ///   - interval: The time between two ticks, and before the first; 0.0001 s if it is zero or less, as for a `Timer`.
  ///   - leeway: The time by which a tick may be late.
  ///   - times: The number of values after which the timer finishes.
  public init(
    queue: DispatchQueue? = nil, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0),
    times: Subscribers.Demand = .unlimited
  ) {
    self.queue = queue
    self.interval = interval
    self.leeway = leeway
    self.times = times
  }
}

extension Publishers {
  /// Publishes the time at regular intervals.
  ///
  /// The timer starts at a subscriber's first request; each subscriber has its own. The first tick comes one interval
  /// later, and tick *k* is due at the start plus *k* intervals, however late earlier ticks were.
  ///
  /// <!-- not run: main queue -->
  /// ```swift
  /// let timer = Publishers.timer(queue: .main, interval: .seconds(1), times: .max(3))
  /// let cancellable = timer.sink(receiveCompletion: { print($0) }, receiveValue: { _ in print("tick") })
  /// // Prints "tick", "tick", "tick", "finished" on four lines: one a second, and the last with the third.
  /// ```
  ///
  /// **Demand:** a tick that has not been requested is dropped and does not count as a value; the timer keeps running.
  /// `request(.none)` traps.
  ///
  /// **Completion:** right after the last of the `times` values. If `times` is `.none`, at the first request, on the
  /// requesting thread.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** delivers on the queue, one value at a time: a tick that comes during the delivery of another is
  /// dropped. Any thread may request and cancel. A cancel stops the timer and releases the subscriber.
  ///
  /// Use `Timer.publish(every:on:in:)` for a timer on a run loop that several subscribers share.
  ///
  /// - Parameters:
  ///   - queue: The queue to deliver on; `nil` for a global queue.
  ///   - interval: The time between two ticks, and before the first; 0.0001 s if it is zero or less, as for a `Timer`.
  ///   - leeway: The time by which a tick may be late.
  ///   - times: The number of values after which the timer finishes.
  /// - Returns: A publisher of the time of each tick.
  public static func timer(
    queue: DispatchQueue? = nil, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0),
    times: Subscribers.Demand = .unlimited
  ) -> DispatchTimer {
    DispatchTimer(
      configuration: DispatchTimerConfiguration(queue: queue, interval: interval, leeway: leeway, times: times))
  }

  /// Publishes the time of a scheduler at regular intervals.
  ///
  /// It works as ``timer(queue:interval:leeway:times:)``, on any scheduler with the time of a dispatch queue: with
  /// virtual time, tests need not wait.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``timer(queue:interval:leeway:times:)``,
  /// with the scheduler in place of the queue.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler to deliver on and to read the time from.
  ///   - interval: The time between two ticks, and before the first; 0.0001 s if it is zero or less, as for a `Timer`.
  ///   - leeway: The time by which a tick may be late.
  ///   - times: The number of values after which the timer finishes.
  /// - Returns: A publisher of the time of each tick.
  public static func timer<S: Scheduler>(
    scheduler: S, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0),
    times: Subscribers.Demand = .unlimited
  ) -> DispatchTimer where S.SchedulerTimeType == DispatchQueue.SchedulerTimeType {
    DispatchTimer(
      configuration: DispatchTimerConfiguration(interval: interval, leeway: leeway, times: times), scheduler: scheduler)
  }

  /// A publisher of the time at regular intervals; see ``timer(queue:interval:leeway:times:)``.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``timer(queue:interval:leeway:times:)``.
  public struct DispatchTimer: Publisher {
    public typealias Output = DispatchTime
    public typealias Failure = Never

    /// The configuration of the timer.
    public let configuration: DispatchTimerConfiguration

    private let scheduler: any Scheduler<DispatchQueue.SchedulerTimeType>

    /// Creates a publisher of the time on a queue.
    public init(configuration: DispatchTimerConfiguration) {
      self.init(configuration: configuration, scheduler: configuration.queue ?? .global())
    }

    /// Creates a publisher of the time of a scheduler.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the timer; its queue is not used.
    ///   - scheduler: The scheduler to deliver on and to read the time from.
    public init<S: Scheduler>(configuration: DispatchTimerConfiguration, scheduler: S)
    where S.SchedulerTimeType == DispatchQueue.SchedulerTimeType {
      self.configuration = configuration
      self.scheduler = scheduler
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == DispatchTime, S.Failure == Never {
      attach(subscriber.erased(), to: scheduler)
    }

    private func attach<S: Scheduler>(_ subscriber: ErasedSubscriber, to scheduler: S)
    where S.SchedulerTimeType == DispatchQueue.SchedulerTimeType {
      let rhythm = TimerRhythm<S>(
        interval: S.SchedulerTimeType.Stride(configuration.interval),
        tolerance: S.SchedulerTimeType.Stride(configuration.leeway), times: configuration.times)
      TimerSource(rhythm, scheduler: scheduler) { $1.receive($0.dispatchTime) }
        .start(subscriber, name: "DispatchTimer")
    }
  }
}
