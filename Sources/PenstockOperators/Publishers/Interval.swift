// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// Publishes the time of a scheduler at regular intervals.
  ///
  /// ![The time is published every 300 milliseconds. A tick that is not requested is dropped.](interval)
  ///
  /// The timer starts at a subscriber's first request; each subscriber has its own. The first tick comes one interval
  /// later, and tick *k* is due at the start plus *k* intervals, as far as the scheduler can keep to that.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let ticks = Publishers.interval(2, scheduler: scheduler).prefix(2)
  /// let cancellable = ticks.sink { print("tick at", $0) }
  /// scheduler.advance(by: 10)
  /// // Prints "tick at 2s", "tick at 4s" on two lines.
  /// ```
  ///
  /// **Demand:** a tick that has not been requested is dropped, and the timer keeps running: the next requested tick
  /// comes at its own time, and the difference of the two times tells how many were dropped. `request(.none)` traps.
  ///
  /// **Completion:** never; use `prefix(_:)`.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** delivers on the scheduler, one value at a time: a tick that comes during the delivery of another
  /// is dropped. Any thread may request and cancel. A cancel stops the timer and releases the subscriber.
  ///
  /// Use `Timer.publish(every:on:in:)` for a timer on a run loop that several subscribers share, and
  /// `Publishers.timer(queue:interval:leeway:times:)` of `PenstockOperatorsFoundation` for a dispatch queue.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks, and before the first; 0.0001 s if it is zero or less, as for a `Timer`.
  ///   - tolerance: The time by which a tick may be late; `nil` for the scheduler's minimum.
  ///   - scheduler: The scheduler to deliver on and to read the time from.
  ///   - options: The scheduler's options.
  /// - Returns: A publisher of the time of each tick.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public static func interval<Context: Scheduler>(
    _ interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> some Publisher<Context.SchedulerTimeType, Never> {
    Interval(
      rhythm: TimerRhythm(interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, options: options),
      scheduler: scheduler)
  }
}

/// The publisher of `interval`.
@usableFromInline
internal struct Interval<Context: Scheduler>: Publisher {
  @usableFromInline internal typealias Output = Context.SchedulerTimeType
  @usableFromInline internal typealias Failure = Never

  @usableFromInline internal let rhythm: TimerRhythm<Context>
  @usableFromInline internal let scheduler: Context

  @inlinable
  internal init(rhythm: TimerRhythm<Context>, scheduler: Context) {
    self.rhythm = rhythm
    self.scheduler = scheduler
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    TimerSource(rhythm, scheduler: scheduler) { $1.receive($0) }.start(subscriber.erased(), name: "Interval")
  }
}
