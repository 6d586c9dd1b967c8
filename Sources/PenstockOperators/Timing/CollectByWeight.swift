// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Collects values into arrays that are limited in number, in weight and in time.
  ///
  /// ![An array is published when it has three values or the weight 5, when the next value would make it heavier, or after
  /// half a second.](collect-by-weight)
  ///
  /// A service, for example, takes at most 500 items with at most 5 MB in total, and should not wait longer than a
  /// second. An array is complete as soon as it has `count` values or reaches the weight, or when the next value would
  /// make it too heavy; that value then begins the next array. The time runs from the first value of an array. No empty
  /// array is published. One timer at a time is with the scheduler: that of an array which is complete before its time
  /// stays for the next array, and does nothing if it goes off before. A value that is heavier than the maximum is alone
  /// in its array.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let sizes = PassthroughSubject<Int, Never>()
  /// let cancellable = sizes
  ///   .collect(upTo: 3, weight: 10, within: 1, scheduler: scheduler) { $0 }
  ///   .sink { print($0, scheduler.now) }
  /// for size in [1, 5, 5, 2, 3, 3, 12, 4] {
  ///   sizes.send(size)
  ///   scheduler.advance(by: 0.2)
  /// }
  /// scheduler.advance(by: 5)
  /// // Prints "[1, 5] 0.4s", "[5, 2, 3] 0.8s", "[3] 1.2s", "[12] 1.2s", "[4] 2.4s" on five lines.
  /// ```
  ///
  /// **Demand:** `count` values are requested from upstream at the subscription, and after each delivery as many as it
  /// has made room for. So the requested values and the held values are together never more than `count`, and a slow
  /// subscriber or scheduler holds upstream back. An array that has not been requested when its time is over waits, and
  /// takes further values until it is complete. A publisher that does not wait for demand, such as a subject, drops
  /// values meanwhile: `buffer(size:prefetch:whenFull:)` in front of this operator keeps them.
  ///
  /// **Completion:** delivered on the scheduler, after the remaining arrays, without waiting for the end of their time.
  /// The arrays wait until they are requested, and the completion waits with them.
  ///
  /// **Failure:** delivered on the scheduler at once; the remaining values are dropped, as by `collect(_:options:)`.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at a
  /// time. `weightOf` is called once for each value, on the thread on which upstream delivers. A cancel takes effect at
  /// once. The timer keeps the pipeline alive until the time is over that it was set for.
  ///
  /// **Traps:** a `count` or a `maxWeight` below 1, and a value whose weight is negative.
  ///
  /// Use `collect(_:)` to collect by number only, and `collect(_:options:)` by number and regular periods of time.
  ///
  /// - Parameters:
  ///   - count: The maximum number of values in an array.
  ///   - maxWeight: The maximum weight of an array of more than one value.
  ///   - interval: The time after its first value at which an array is published.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - options: The scheduler options for each scheduled action.
  ///   - weightOf: A closure that returns the weight of a value.
  /// - Returns: A publisher of arrays.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func collect<S: Scheduler>(
    upTo count: Int, weight maxWeight: Int, within interval: S.SchedulerTimeType.Stride, scheduler: S,
    options: S.SchedulerOptions? = nil, weightOf: @escaping (Output) -> Int
  ) -> Publishers.Lifted<[Output], Failure> {
    require(count >= 1, of: "collect(upTo:)", rule: "a count of 1 or more", given: count)
    require(maxWeight >= 1, of: "collect(upTo:weight:)", rule: "a weight of 1 or more", given: maxWeight)
    return lift {
      CollectByWeightStage<Output, Failure, S>(
        upTo: count, weight: maxWeight, timer: RestartableTimer(interval, scheduler, options: options),
        weightOf: weightOf)
    }
  }
}
