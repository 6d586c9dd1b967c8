// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Collects values into arrays, each of which holds what has come in a given time.
  ///
  /// With ``Publishers/TimeGroupingStrategy/byTimeOrCount(_:_:_:)`` an array also goes out as soon as it has a given size;
  /// the clock ticks on as before.
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
  /// **Demand:** by time, upstream is never held back: it is asked for one value at each request, and for one more at each
  /// value. By time or count, it is asked for as many values as the arrays that are asked for can hold. An array that has
  /// not been asked for is not delivered: it goes on growing.
  ///
  /// **Completion:** delivered on the scheduler, behind an array of the values that are left, if any. That waits until it
  /// is asked for, and the completion with it.
  ///
  /// **Failure:** delivered on the scheduler; the values that are left are dropped.
  ///
  /// **Concurrency:** the subscription arrives on the thread that subscribes, everything else on the scheduler, one after
  /// the other. A cancel takes effect at once. The clock stops at upstream's end, and does not keep the chain alive.
  ///
  /// - Parameters:
  ///   - strategy: The scheduler, the time, and perhaps the size.
  ///   - options: What the scheduler is told about each block.
  /// - Returns: A publisher of arrays.
  @inlinable
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// How values are put together by time; see ``Publisher/collect(_:options:)``.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// All values of a given time go into one array.
    case byTime(Context, Context.SchedulerTimeType.Stride)

    /// All values of a given time go into one array, which goes out early when it has the given size.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// A publisher that collects the values of another by time; see ``Publisher/collect(_:options:)``.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream

    /// How values are put together.
    public let strategy: TimeGroupingStrategy<Context>

    /// What the scheduler is told about each block.
    public let options: Context.SchedulerOptions?

    /// Makes a publisher that collects the values of another by time.
    @inlinable
    public init(upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == [Upstream.Output] {
      upstream.subscribe(CollectByTimeLink(strategy, options, to: subscriber))
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
