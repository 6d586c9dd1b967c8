// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes the time between each value and the previous one.
  ///
  /// ![For each value, the time since the one before is published; for the first, since the
  /// subscription.](measure-interval)
  ///
  /// The first interval starts at the subscription.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let beats = PassthroughSubject<Void, Never>()
  /// let cancellable = beats.measureInterval(using: scheduler).sink { print($0) }
  /// for pause: VirtualTime.Stride in [2, 0.5] {
  ///   scheduler.advance(by: pause)
  ///   beats.send()
  /// }
  /// // Prints "2s", "0.5s" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream. Demand that a delivery returns is requested right after it. `request(.none)` is
  /// passed on.
  ///
  /// **Completion:** forwarded, without an interval before it.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; it reads the scheduler's clock and schedules nothing.
  ///
  /// Use ``timeout(_:scheduler:options:customError:)`` to end the stream if an interval is too long. `TimeLogger`, in
  /// `PenstockOperators`, prints the times.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose clock is read.
  ///   - options: Ignored.
  /// - Returns: A publisher of intervals.
  @_alwaysEmitIntoClient
  public consuming func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// A publisher of the time between upstream values; see ``Publisher/measureInterval(using:options:)``.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Context.SchedulerTimeType.Stride, Upstream.Failure>

    /// The publisher whose values are timed.
    public let upstream: Upstream

    /// The scheduler whose clock is read.
    public let scheduler: Context

    /// Creates a publisher of the time between upstream values.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where Upstream.Failure == S.Failure, S.Input == Context.SchedulerTimeType.Stride {
      upstream.subscribe(
        RequestingSubscriber(MeasureIntervalStage<Upstream.Output, Context>(scheduler), to: subscriber),
        upstreamOf: S.self)
    }
  }
}

/// The stage of `measureInterval`.
@usableFromInline
internal final class MeasureIntervalStage<Input, Context: Scheduler>: RequestingStage {
  @usableFromInline internal let scheduler: Context
  /// The time of the last value or, before the first one, of the subscription.
  @exclusivity(unchecked) @usableFromInline internal var last: Context.SchedulerTimeType?

  @_alwaysEmitIntoClient
  internal init(_ scheduler: Context) { self.scheduler = scheduler }

  @_alwaysEmitIntoClient
  internal static var name: String { "MeasureInterval" }

  @_alwaysEmitIntoClient
  internal func begin() { last = scheduler.now }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Context.SchedulerTimeType.Stride {
    let now = scheduler.now
    let interval = last?.distance(to: now) ?? 0
    last = now
    return interval
  }
}

extension Publishers.MeasureInterval: Sendable where Upstream: Sendable, Context: Sendable {}
