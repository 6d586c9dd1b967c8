// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Shares one subscription to this publisher among several subscribers, and keeps it for a time without subscribers.
  ///
  /// ![Nobody is left, and the next subscriber comes in time: upstream is still the same.](share-keeping)
  ///
  /// It works as `share()`, and cancels upstream only when there has been no subscriber for the given time: a screen
  /// that is left and entered again finds the same connection. A subscriber that arrives within the time stops the
  /// timer, and the time starts again when the last subscriber leaves. Nobody receives what upstream sends meanwhile.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let ticks = Publishers.interval(.seconds(1), scheduler: scheduler)
  ///   .handleEvents(receiveCancel: { print("cancelled") })
  ///   .share(keepingFor: .seconds(5), scheduler: scheduler)
  /// let first = ticks.sink { print("first", $0) }
  /// scheduler.advance(by: .seconds(1))
  /// first.cancel()
  /// scheduler.advance(by: .seconds(2))
  /// let second = ticks.sink { print("second", $0) }
  /// scheduler.advance(by: .seconds(1))
  /// second.cancel()
  /// scheduler.advance(by: .seconds(5))
  /// // Prints "first 1s", "second 4s", "cancelled" on three lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream once any subscriber has requested a value. A value that a
  /// subscriber has not requested is dropped for that subscriber. `request(.none)` traps.
  ///
  /// **Completion:** delivered to all subscribers. Later subscribers receive it at once, and upstream is not subscribed
  /// to again. The timer is cancelled.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** any thread may subscribe and cancel. There is one timer at a time. Upstream is cancelled on the
  /// scheduler, or at once when the publisher is deallocated: keep the publisher for as long as the time should count.
  /// A subscriber that arrives while the timer goes off either keeps upstream or starts it again; it never waits for a
  /// cancelled upstream.
  ///
  /// A duration of zero cancels in the scheduler's next turn; a negative one traps. An upstream that delivers at once
  /// without an end continues for that time, and for ever if its thread is the scheduler's.
  ///
  /// Use `share()` to cancel upstream with the last subscriber, ``share(replay:keepingFor:scheduler:)`` to give the next
  /// subscriber the latest values, and ``shareReplay(capacity:)`` to keep upstream for good.
  ///
  /// - Parameters:
  ///   - duration: The time for which upstream is kept without subscribers.
  ///   - scheduler: The scheduler that measures it.
  /// - Returns: A publisher object that equals only itself.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func share<S: Scheduler>(
    keepingFor duration: S.SchedulerTimeType.Stride, scheduler: S
  ) -> Publishers.ShareBuffered<Self> {
    let grace = GracePeriod(duration, scheduler, of: "share(keepingFor:)")
    return Publishers.ShareBuffered(upstream: self, buffering: .newest(0), grace: grace)
  }

  /// Shares one subscription to this publisher, keeps it for a time without subscribers, and replays the latest values
  /// to new ones.
  ///
  /// ![Nobody is left, and the next subscriber comes in time: it gets the latest value.](share-replay-keeping)
  ///
  /// It works as ``share(replay:)``, and cancels upstream and forgets the values only when there has been no subscriber
  /// for the given time. A subscriber that arrives within the time stops the timer, and receives the latest values
  /// first, including those that arrived meanwhile.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let subject = PassthroughSubject<Int, Never>()
  /// let shared = subject.share(replay: 1, keepingFor: .seconds(5), scheduler: scheduler)
  /// let first = shared.sink { print("first", $0) }
  /// subject.send(1)
  /// first.cancel()
  /// subject.send(2)
  /// scheduler.advance(by: .seconds(4))
  /// let second = shared.sink { print("second", $0) }
  /// second.cancel()
  /// scheduler.advance(by: .seconds(5))
  /// let third = shared.sink { print("third", $0) }
  /// subject.send(3)
  /// // Prints "first 1", "second 2", "third 3" on three lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. A value that a subscriber has not requested
  /// waits for it, without a limit. `request(.none)` traps.
  ///
  /// **Completion:** delivered to each subscriber after the values that wait for it. The timer is cancelled; later
  /// subscribers receive the latest values and the completion.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** as for ``share(keepingFor:scheduler:)``.
  ///
  /// A duration of zero cancels in the scheduler's next turn; a negative one traps. An upstream that delivers at once
  /// without an end continues for that time, and for ever if its thread is the scheduler's.
  ///
  /// Use ``share(replay:)`` to cancel upstream with the last subscriber, and ``shareReplay(capacity:)`` to keep it for
  /// good.
  ///
  /// - Parameters:
  ///   - capacity: The number of values to replay. A negative number traps.
  ///   - duration: The time for which upstream and the values are kept without subscribers.
  ///   - scheduler: The scheduler that measures it.
  /// - Returns: A publisher object that equals only itself.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func share<S: Scheduler>(
    replay capacity: Int, keepingFor duration: S.SchedulerTimeType.Stride, scheduler: S
  ) -> Publishers.ShareReplay<Self> {
    let grace = GracePeriod(duration, scheduler, of: "share(replay:keepingFor:)")
    return Publishers.ShareReplay(
      upstream: self, capacity: capacity, stopsWithoutSubscribers: true, grace: grace)
  }
}
