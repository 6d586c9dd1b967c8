// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import PenstockCore
public import PenstockDispatch

/// What a ``PenstockCore/Publishers/DispatchTimer`` does.
public struct DispatchTimerConfiguration: Sendable {
  /// Where it delivers; `nil` for a global queue.
  public var queue: DispatchQueue?

  /// The time between two ticks, and before the first.
  public var interval: DispatchTimeInterval

  /// How much later than due a tick may come.
  public var leeway: DispatchTimeInterval

  /// After how many values it finishes.
  public var times: Subscribers.Demand

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - queue: Where to deliver; `nil` for a global queue.
  ///   - interval: The time between two ticks, and before the first.
  ///   - leeway: How much later than due a tick may come.
  ///   - times: After how many values to finish.
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
  /// Publishes the time, again and again.
  ///
  /// The clock starts with a subscriber's first request; each subscriber has one of its own. The first tick comes one
  /// interval later, and tick *k* is due at the start plus *k* intervals, however late the ticks before it came.
  ///
  /// ```swift
  /// let timer = Publishers.timer(queue: .main, interval: .seconds(1), times: .max(3))
  /// let cancellable = timer.sink(receiveCompletion: { print($0) }, receiveValue: { _ in print("tick") })
  /// // Prints "tick", "tick", "tick", "finished" on four lines: one a second, and the last with the third.
  /// ```
  ///
  /// **Demand:** a tick that has not been asked for is dropped, does not count as a value, and the clock runs on.
  /// `request(.none)` traps.
  ///
  /// **Completion:** right after the last of the values that were wanted. If none were, at the first request, on the
  /// thread that makes it.
  ///
  /// **Failure:** there is none.
  ///
  /// **Concurrency:** delivers on the queue, one value at a time: a tick that comes during the delivery of another is
  /// dropped. Any thread may request and cancel. A cancel stops the clock and lets the subscriber go.
  ///
  /// - Parameters:
  ///   - queue: Where to deliver; `nil` for a global queue.
  ///   - interval: The time between two ticks, and before the first.
  ///   - leeway: How much later than due a tick may come.
  ///   - times: After how many values to finish.
  /// - Returns: A publisher of the time at each tick.
  public static func timer(
    queue: DispatchQueue? = nil, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0),
    times: Subscribers.Demand = .unlimited
  ) -> DispatchTimer {
    DispatchTimer(
      configuration: DispatchTimerConfiguration(queue: queue, interval: interval, leeway: leeway, times: times))
  }

  /// Publishes the time of a scheduler, again and again.
  ///
  /// Like ``timer(queue:interval:leeway:times:)``, on any scheduler that counts time as queues do: one with virtual time
  /// lets tests pass hours in no time.
  ///
  /// - Parameters:
  ///   - scheduler: Where to deliver, and what the time is taken from.
  ///   - interval: The time between two ticks, and before the first.
  ///   - leeway: How much later than due a tick may come.
  ///   - times: After how many values to finish.
  /// - Returns: A publisher of the time at each tick.
  public static func timer<S: Scheduler>(
    scheduler: S, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0),
    times: Subscribers.Demand = .unlimited
  ) -> DispatchTimer where S.SchedulerTimeType == DispatchQueue.SchedulerTimeType {
    DispatchTimer(
      configuration: DispatchTimerConfiguration(interval: interval, leeway: leeway, times: times), scheduler: scheduler)
  }

  /// A publisher of the time, again and again; see ``timer(queue:interval:leeway:times:)``.
  public struct DispatchTimer: Publisher {
    public typealias Output = DispatchTime
    public typealias Failure = Never

    /// What it does.
    public let configuration: DispatchTimerConfiguration

    private let scheduler: any Scheduler<DispatchQueue.SchedulerTimeType>

    /// Makes a publisher of the time, on a queue.
    public init(configuration: DispatchTimerConfiguration) {
      self.init(configuration: configuration, scheduler: configuration.queue ?? .global())
    }

    /// Makes a publisher of a scheduler's time.
    ///
    /// - Parameters:
    ///   - configuration: What it does; the queue is not used.
    ///   - scheduler: Where to deliver, and what the time is taken from.
    public init<S: Scheduler>(configuration: DispatchTimerConfiguration, scheduler: S)
    where S.SchedulerTimeType == DispatchQueue.SchedulerTimeType {
      self.configuration = configuration
      self.scheduler = scheduler
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == DispatchTime, S.Failure == Never {
      DispatchTimerSubscription(subscriber.erased(), configuration: configuration, scheduler: scheduler).introduce()
    }
  }
}
