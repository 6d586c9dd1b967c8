// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Collects the values of each period of time into an array.
  ///
  /// ![Every 400 milliseconds, the values that have come meanwhile are published as an array.](collect-by-time)
  ///
  /// With ``Publishers/TimeGroupingStrategy/byTimeOrCount(_:_:_:)``, an array is also delivered as soon as it has a
  /// given number of values; the periods stay as they are.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let readings = PassthroughSubject<Int, Never>()
  /// let cancellable = readings.collect(.byTime(scheduler, 1)).sink { print($0, scheduler.now) }
  /// for reading in 1...5 {
  ///   readings.send(reading)
  ///   scheduler.advance(by: 0.4)
  /// }
  /// // Prints "[1, 2, 3] 1s", "[4, 5] 2s" on two lines.
  /// ```
  ///
  /// **Demand:** by time, upstream is never held back: one value is requested with each request of downstream, and one
  /// more for each value. By time or count, as many values are requested from upstream as the requested arrays can
  /// hold. An array that has not been requested is not delivered: it keeps growing.
  ///
  /// **Completion:** delivered on the scheduler, after an array of the remaining values, if there are any. That array
  /// waits until it is requested, and the completion waits with it.
  ///
  /// **Failure:** delivered on the scheduler; the remaining values are dropped.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time. A cancel takes effect at once. The timer stops when upstream ends, and does not keep the pipeline alive.
  ///
  /// Use ``collect(_:)`` to collect by number only, and ``throttle(for:scheduler:latest:)`` to publish one value of
  /// each period.
  ///
  /// - Parameters:
  ///   - strategy: The scheduler, the length of a period, and optionally a number of values.
  ///   - options: The scheduler options for each scheduled action.
  /// - Returns: A publisher of arrays.
  @_alwaysEmitIntoClient
  public consuming func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// A strategy for collecting values by time; see ``Publisher/collect(_:options:)``.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// Collects all values of a period into one array; a period of zero or less takes 0.0001 s on the library's schedulers.
    case byTime(Context, Context.SchedulerTimeType.Stride)

    /// Collects all values of a period into one array, and delivers it early when it has the given number of values.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// A publisher that collects upstream values by time; see ``Publisher/collect(_:options:)``.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<[Upstream.Output], Upstream.Failure>

    /// The publisher whose values are collected.
    public let upstream: Upstream

    /// The strategy for collecting values.
    public let strategy: TimeGroupingStrategy<Context>

    /// The scheduler options for each scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that collects upstream values by time.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == [Upstream.Output] {
      let stage: CollectByTimeStage<Upstream.Output, Failure, Context> =
        switch strategy {
        case .byTime(let scheduler, let interval): CollectByTimeStage(scheduler, interval, count: nil, options)
        case .byTimeOrCount(let scheduler, let interval, let count):
          CollectByTimeStage(scheduler, interval, count: count, options)
        }
      upstream.subscribe(ScheduledSubscriber(stage, to: subscriber), upstreamOf: S.self)
    }
  }
}

extension Publishers.TimeGroupingStrategy: Sendable
where Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publishers.CollectByTime: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}
