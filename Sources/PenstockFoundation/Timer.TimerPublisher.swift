// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

extension Timer {
  /// Publishes the date at regular intervals, from a timer on a run loop.
  ///
  /// It is a ``/PenstockCore/ConnectablePublisher``: nothing is published before `connect()`, so it is mostly used with
  /// `autoconnect()`.
  ///
  /// ```swift
  /// let cancellable = Timer.publish(every: 0.01, on: .main, in: .default)
  ///   .autoconnect()
  ///   .prefix(3)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { _ in print("tick") })
  /// RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
  /// // Prints "tick", "tick", "tick", "finished" on four lines.
  /// ```
  ///
  /// **Demand:** counted for each subscriber; a tick that a subscriber has not requested is dropped for it.
  /// `request(.none)` is accepted.
  ///
  /// **Completion:** none. **Failure:** none.
  ///
  /// **Concurrency:** delivers on the thread of the run loop, while that runs in the mode.
  ///
  /// - Parameters:
  ///   - interval: The seconds between two ticks, and between `connect()` and the first; 0.0001 if it is zero or less, as
  ///     for a `Timer`.
  ///   - tolerance: Ignored, as in Combine. The initializer of ``TimerPublisher`` uses it.
  ///   - runLoop: The run loop of the timer.
  ///   - mode: The run loop mode of the timer.
  ///   - options: The run loop's options as a scheduler.
  /// - Returns: A connectable publisher with a timer for each connection.
  public static func publish(
    every interval: TimeInterval,
    tolerance: TimeInterval? = nil,
    on runLoop: RunLoop,
    in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, runLoop: runLoop, mode: mode, options: options)
  }

  /// A publisher of dates from a timer; see ``publish(every:tolerance:on:in:options:)``.
  ///
  /// Every `connect()` starts a timer of its own, which keeps the publisher alive. Cancelling any connection stops its
  /// timer and releases all subscribers: they receive no more values. Deallocating a connection does not stop it.
  ///
  /// **Demand:**, **Completion:** and **Failure:** as for ``publish(every:tolerance:on:in:options:)``.
  ///
  /// **Concurrency:** is not `Sendable`, but may be connected, subscribed to and cancelled on any thread.
  public final class TimerPublisher: ConnectablePublisher {
    /// The type of the values: the date of the tick.
    public typealias Output = Date

    /// The type of the failure: it cannot fail.
    public typealias Failure = Never

    /// The seconds between two ticks.
    public final let interval: TimeInterval

    /// The seconds by which a tick may be late.
    public final let tolerance: TimeInterval?

    /// The run loop of the timer.
    public final let runLoop: RunLoop

    /// The run loop mode of the timer.
    public final let mode: RunLoop.Mode

    /// The run loop's options as a scheduler.
    public final let options: RunLoop.SchedulerOptions?

    private let audience = TimerAudience()

    /// Creates a publisher of dates from a timer.
    ///
    /// - Parameters:
    ///   - interval: The seconds between two ticks; 0.0001 if it is zero or less.
    ///   - tolerance: The seconds by which a tick may be late.
    ///   - runLoop: The run loop of the timer.
    ///   - mode: The run loop mode of the timer.
    ///   - options: The run loop's options as a scheduler.
    public init(
      interval: TimeInterval,
      tolerance: TimeInterval? = nil,
      runLoop: RunLoop,
      mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    /// Attaches a subscriber, which receives nothing before the publisher is connected.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      audience.attach(subscriber.erased())
    }

    /// Starts a timer.
    ///
    /// - Returns: A cancellable that stops the timer and releases all subscribers.
    public func connect() -> any Cancellable {
      let interval = RunLoop.SchedulerTimeType.Stride(interval).asRepeated.timeInterval
      let timer = LoopTimer(at: Date(timeIntervalSinceNow: interval), every: interval, tolerance: tolerance) {
        self.audience.tick(Date())
      }
      timer.start(on: runLoop, in: mode)
      return TimerConnection(timer: timer, audience: audience)
    }
  }
}
