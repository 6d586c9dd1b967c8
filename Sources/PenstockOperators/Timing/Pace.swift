// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Requests values from upstream at a limited rate, and loses none.
  ///
  /// ![Two values come at once, then one every 200 milliseconds.](pace)
  ///
  /// A bucket starts with `burst` tokens, and `count` tokens flow into it in each `interval`, one after the other, as
  /// long as it is not full. A value is requested only if there is a token for it, which it takes when it arrives: so
  /// no more than `burst` values arrive at once, however long the pause before them, and over time no more than `count`
  /// in each interval. A late timer costs no value: the next token flows as if the timer had been on time, provided
  /// that it was late by no more than the time of one token. So the rate is kept even with a `burst` of 1.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let cancellable = (1...4).publisher
  ///   .pace(10, per: .seconds(1), burst: 2, scheduler: scheduler)
  ///   .sink { print($0, scheduler.now) }
  /// scheduler.advance(by: 1)
  /// // Prints "1 0s", "2 0s", "3 0.1s", "4 0.2s" on four lines.
  /// ```
  ///
  /// The source waits instead of this operator: nothing is kept, and nothing is dropped. A publisher that does not wait for
  /// demand, such as a subject, drops values that are not requested: `buffer(size:prefetch:whenFull:)` in front of this
  /// operator keeps them.
  ///
  /// **Demand:** downstream's requests are passed on as far as there are tokens, and the rest when the tokens have
  /// flowed. No more than `burst` values are outstanding. `request(.none)` traps.
  ///
  /// **Completion:** forwarded at once.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** values are delivered on the thread on which upstream delivers: a source that delivers when it is
  /// asked, such as a sequence, does so on the scheduler. At most one timer is set, to the date of the next token, and
  /// none while nothing is wanted or the bucket is full. It keeps the pipeline alive until it fires. If the scheduler's
  /// clock is set back, as that of a run loop may be, the time of the next token starts again.
  ///
  /// **Traps:** a `count`, a `burst` or an `interval` that is not positive.
  ///
  /// Use ``pace(_:per:burst:scheduler:options:cost:)`` for values that do not all cost the same,
  /// `throttle(for:scheduler:latest:)` to drop excess values, and ``limitRequests(to:refillAt:)`` to limit the number
  /// of values that are outstanding.
  ///
  /// - Parameters:
  ///   - count: The number of values in each interval.
  ///   - interval: The interval.
  ///   - burst: The number of values that may arrive at once after a pause.
  ///   - scheduler: The scheduler that waits.
  ///   - options: The scheduler options for the timer.
  /// - Returns: A publisher of the same values at a limited rate.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func pace<S: Scheduler>(
    _ count: Int, per interval: Duration, burst: Int = 1, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Lifted<Output, Failure> {
    let nanoseconds = paceInterval(count, interval, burst)
    return rationed {
      PaceStage<S>(
        TokenBucket(count: count, interval: nanoseconds, ceiling: burst, full: scheduler.now),
        timer: RestartableTimer(.nanoseconds(nanoseconds), scheduler, options: options))
    }
  }

  /// Requests values from upstream at a rate that is limited by their costs, and loses none.
  ///
  /// ![A value that costs 2 waits until the bucket has two tokens.](pace-cost)
  ///
  /// It works as ``pace(_:per:burst:scheduler:options:)``, where each value takes one token. Here each value takes as
  /// many as it costs: bytes, or the units in which a service counts.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let cancellable = [300, 100, 900, 100].publisher
  ///   .pace(100, per: .seconds(1), burst: 400, scheduler: scheduler) { $0 }
  ///   .sink { print($0, scheduler.now) }
  /// scheduler.advance(by: 20)
  /// // Prints "300 0s", "100 0s", "900 4s", "100 10s" on four lines.
  /// ```
  ///
  /// The cost of a value is known only when the value has arrived. So one value at a time is requested, as soon as
  /// there is a token, and it waits until there are enough. A value that costs more than the bucket holds is delivered
  /// when the bucket is full, and leaves a debt: the next value is requested when the missing tokens have flowed, and
  /// one more.
  ///
  /// **Demand:** one value at a time, if downstream wants one and the previous value has been delivered. At most one
  /// value waits.
  ///
  /// **Completion:** forwarded at once, or after the value that waits.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** a value is delivered at once, on upstream's thread, if the bucket has its tokens, and on the
  /// scheduler if it has waited. Deliveries do not overlap. `cost` is called once for each value, on the thread on
  /// which upstream delivers. At most one timer is set. It keeps the pipeline alive until it fires or the stream ends.
  /// If the scheduler's clock is set back, as that of a run loop may be, the time of the next token starts again.
  ///
  /// **Traps:** a `count`, a `burst` or an `interval` that is not positive, and a value with a negative cost.
  ///
  /// - Parameters:
  ///   - count: The number of tokens that flow in each interval.
  ///   - interval: The interval.
  ///   - burst: The number of tokens that the bucket holds.
  ///   - scheduler: The scheduler that waits, and delivers values that have waited.
  ///   - options: The scheduler options for the timer.
  ///   - cost: A closure that returns the number of tokens that a value takes.
  /// - Returns: A publisher of the same values at a limited rate.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func pace<S: Scheduler>(
    _ count: Int, per interval: Duration, burst: Int = 1, scheduler: S, options: S.SchedulerOptions? = nil,
    cost: @escaping (Output) -> Int
  ) -> Publishers.Lifted<Output, Failure> {
    let nanoseconds = paceInterval(count, interval, burst)
    return lift {
      PaceByCostStage<Output, Failure, S>(
        TokenBucket(count: count, interval: nanoseconds, ceiling: burst, full: scheduler.now),
        timer: RestartableTimer(.nanoseconds(nanoseconds), scheduler, options: options), cost: cost)
    }
  }
}

/// Returns the nanoseconds in the interval of a pace; traps if the pace is not positive.
@usableFromInline
internal func paceInterval(_ count: Int, _ interval: Duration, _ burst: Int) -> Int {
  require(count >= 1, of: "pace(_:per:)", rule: "a count of 1 or more", given: count)
  require(burst >= 1, of: "pace(burst:)", rule: "a burst of 1 or more", given: burst)
  let nanoseconds = interval.nanoseconds
  require(nanoseconds >= 1, of: "pace(per:)", rule: "an interval of a nanosecond or more", given: interval)
  return nanoseconds
}
