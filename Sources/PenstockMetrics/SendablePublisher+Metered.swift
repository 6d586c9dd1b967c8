// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  public import CoreMetrics
  public import PenstockConcurrency
  public import PenstockCore

  extension SendablePublisher {
    /// Reports how many values pass, how long streams live, and how much is requested, as metrics of swift-metrics.
    ///
    /// It works as `Publisher.metered(_:dimensions:every:factory:madeAt:)`, in a pipeline that is checked for data
    /// races.
    ///
    /// `madeAt` is `@Sendable`: it may run on any thread, for several subscribers at once.
    @inlinable @_disfavoredOverload
    public func metered(
      _ name: String, dimensions: [(String, String)] = [], every interval: Duration = .seconds(10),
      factory: (any MetricsFactory)? = nil, madeAt: (@Sendable (Output) -> ContinuousClock.Instant)? = nil
    ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
      SendablePublisher<_>(
        unchecked: publisher.metered(name, dimensions: dimensions, every: interval, factory: factory, madeAt: madeAt))
    }

    /// Reports how many values pass, how long streams live, and how much is requested, at an interval of a given
    /// scheduler.
    ///
    /// It works as `Publisher.metered(_:dimensions:every:on:factory:madeAt:)`, in a pipeline that is checked for data
    /// races.
    ///
    /// `madeAt` is `@Sendable`: it may run on any thread, for several subscribers at once.
    @inlinable @_disfavoredOverload
    public func metered<C: Clock>(
      _ name: String, dimensions: [(String, String)] = [], every interval: Duration = .seconds(10),
      on scheduler: TaskScheduler<C>, factory: (any MetricsFactory)? = nil,
      madeAt: (@Sendable (Output) -> C.Instant)? = nil
    ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where C.Duration == Duration {
      SendablePublisher<_>(
        unchecked: publisher.metered(
          name, dimensions: dimensions, every: interval, on: scheduler, factory: factory, madeAt: madeAt))
    }
  }
#endif
