// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

extension Timer {
  /// Publishes the date, again and again, from a timer on a run loop.
  ///
  /// It is a ``ConnectablePublisher``: nothing ticks before `connect()`, so it is mostly used with `autoconnect()`.
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
  /// **Demand:** each subscriber's own; a tick that a subscriber has not asked for is not kept for it. `request(.none)` is
  /// accepted.
  ///
  /// **Completion:** none. **Failure:** none.
  ///
  /// **Concurrency:** delivers on the thread of the run loop, while that is run in the mode.
  ///
  /// - Parameters:
  ///   - interval: The seconds between two ticks; the first one comes that long after `connect()`.
  ///   - tolerance: Ignored, as in Combine. The initialiser of ``TimerPublisher`` keeps it.
  ///   - runLoop: The run loop.
  ///   - mode: The mode in which the timer ticks.
  ///   - options: Options of the run loop as a scheduler.
  /// - Returns: A publisher that ticks for each of its connections.
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
  /// Every `connect()` starts a timer of its own, which keeps the publisher alive. Cancelling a connection, whichever it
  /// is, stops its timer and lets all subscribers go: they hear nothing more. Dropping a connection does not stop it.
  ///
  /// **Concurrency:** belongs to whoever made it, but may be connected, subscribed to and cancelled on any thread.
  public final class TimerPublisher: ConnectablePublisher {
    /// The date of the tick.
    public typealias Output = Date

    /// It does not fail.
    public typealias Failure = Never

    /// The seconds between two ticks.
    public final let interval: TimeInterval

    /// How many seconds later is still fine.
    public final let tolerance: TimeInterval?

    /// The run loop on which it ticks.
    public final let runLoop: RunLoop

    /// The mode in which it ticks.
    public final let mode: RunLoop.Mode

    /// Options of the run loop as a scheduler.
    public final let options: RunLoop.SchedulerOptions?

    private let audience = TimerAudience()

    /// Makes a publisher of dates.
    ///
    /// - Parameters:
    ///   - interval: The seconds between two ticks.
    ///   - tolerance: How many seconds later is still fine.
    ///   - runLoop: The run loop on which it ticks.
    ///   - mode: The mode in which it ticks.
    ///   - options: Options of the run loop as a scheduler.
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

    /// Attaches a subscriber, which hears nothing before the publisher is connected.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      audience.attach(subscriber.erased())
    }

    /// Starts a timer.
    ///
    /// - Returns: What stops the timer, and lets all subscribers go.
    public func connect() -> any Cancellable {
      let timer = LoopTimer(
        at: Date(timeIntervalSinceNow: interval), every: interval, tolerance: tolerance, on: runLoop, in: mode
      ) {
        self.audience.tick(Date())
      }
      return TimerConnection(timer: timer, audience: audience)
    }
  }
}
