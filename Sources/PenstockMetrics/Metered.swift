// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  public import CoreMetrics
  public import PenstockConcurrency
  public import PenstockCore

  extension Publisher {
    /// Reports how many values pass, how long streams live, and how much is requested, as metrics of swift-metrics.
    ///
    /// ```swift
    /// let orders = PassthroughSubject<String, Never>()
    /// let metrics = TestMetrics()
    /// let cancellable = orders.metered("orders", factory: metrics).sink { _ in }
    /// for order in ["lock", "gate"] { orders.send(order) }
    /// orders.send(completion: .finished)
    /// print(metrics.counterTotal(label: "penstock.values", dimensions: [("stream", "orders")]))
    /// // Prints "2".
    /// ```
    ///
    /// The stream itself is unchanged. Each metric has the name as its dimension `stream`, and the given other
    /// dimensions; all subscriptions of a publisher count together in it, and so do all publishers with the same name,
    /// dimensions and factory.
    ///
    /// | metric | kind | what it tells |
    /// |---|---|---|
    /// | `penstock.subscriptions` | meter | subscriptions that have neither ended nor been cancelled |
    /// | `penstock.values` | counter | values that have passed |
    /// | `penstock.discarded` | counter | values that came too late, by `reason`: `ended`, `cancelled` |
    /// | `penstock.requested` | meter | values asked for and not delivered, over all subscriptions with limited demand |
    /// | `penstock.unlimited` | meter | subscriptions that have asked for everything |
    /// | `penstock.waiting` | meter | values that operators upstream of this one keep |
    /// | `penstock.value.age` | timer | the age of the oldest value of each report, if `madeAt` is given |
    /// | `penstock.stream.duration` | timer | from the subscription to the `end`: `finished`, `failed`, `cancelled` |
    ///
    /// Values are counted as they pass, and reported at an interval and when a subscription ends: so a stream costs a
    /// few calls of the metrics system per interval, however many values it has. A number that has not changed is not
    /// reported. Meters are moved by differences, and publishers with the same name share them, so that they add up,
    /// even if the factory has no meters of its own. A factory that is not an object is identified by its memory: one
    /// that makes a new array or closure each time counts as a different factory.
    ///
    /// The metrics are never destroyed, since the system may read a number long after its stream has ended. So a name
    /// for each request stays in the metrics system, even if the factory could destroy metrics.
    ///
    /// **Demand:** passed on unchanged. A value that was not requested is delivered and counted.
    ///
    /// **Completion:** forwarded, after it has been reported. A value that arrives later is counted as discarded, and
    /// not forwarded.
    ///
    /// **Failure:** forwarded, in the same way.
    ///
    /// **Concurrency:** adds no thread to the stream and no lock for a value. Reports at the interval come from the
    /// threads that Swift keeps for tasks; those at the end come from the thread that ends the subscription. No lock is
    /// held while the metrics system is called.
    ///
    /// **Traps:** two dimensions with the same name, or a dimension with the name `stream`, `reason` or `end`, which
    /// the metrics use.
    ///
    /// Use ``metered(_:dimensions:every:on:factory:madeAt:)`` for a report elsewhere, or in virtual time.
    ///
    /// - Parameters:
    ///   - name: The name of the stream. Each name is a time series in the metrics system, so it must not be made from values.
    ///   - dimensions: More dimensions, which are the same for all values.
    ///   - interval: The interval of the reports while there are subscriptions; a shorter one counts as a millisecond.
    ///   - factory: The factory that makes the metrics; by default that of the task, or of the process, at the time of
    ///     this call.
    ///   - madeAt: A closure that tells when a value was made, for its age; called for each value, as is the clock.
    /// - Returns: A publisher of the same values.
    @inlinable @_disfavoredOverload
    public consuming func metered(
      _ name: String, dimensions: [(String, String)] = [], every interval: Duration = .seconds(10),
      factory: (any MetricsFactory)? = nil, madeAt: ((Output) -> ContinuousClock.Instant)? = nil
    ) -> Publishers.Lifted<Output, Failure> {
      Publishers.Lifted(
        MeteredPublisher(
          upstream: self,
          metrics: StreamMetrics(name, dimensions, hasAges: madeAt != nil, every: interval, from: factory),
          age: madeAt.map { madeAt in { madeAt($0).duration(to: reportScheduler.now.instant) } }))
    }

    /// Reports how many values pass, how long streams live, and how much is requested, at an interval of a given
    /// scheduler.
    ///
    /// The metrics are those of ``metered(_:dimensions:every:factory:madeAt:)``. Durations and ages are measured in the
    /// time of the scheduler's clock.
    ///
    /// ```swift
    /// let time = VirtualTimeScheduler()
    /// let scheduler = TaskScheduler(on: time.executor, clock: time.clock)
    /// let metrics = TestMetrics()
    /// let orders = PassthroughSubject<String, Never>()
    /// let cancellable = orders.metered("orders", every: .seconds(5), on: scheduler, factory: metrics).sink { _ in }
    /// orders.send("lock")
    /// orders.send("gate")
    /// await time.advance(by: 5)
    /// print(metrics.counters(label: "penstock.values")[0].values)
    /// // Prints "[2]".
    /// ```
    ///
    /// **Demand:** passed on unchanged.
    ///
    /// **Completion:** forwarded, after it has been reported.
    ///
    /// **Failure:** forwarded, in the same way.
    ///
    /// **Concurrency:** adds no thread to the stream and no lock for a value. Reports at the interval come from the
    /// scheduler.
    ///
    /// **Traps:** two dimensions with the same name, or a dimension with the name `stream`, `reason` or `end`.
    ///
    /// - Parameters:
    ///   - name: The name of the stream.
    ///   - dimensions: More dimensions, which are the same for all values.
    ///   - interval: The interval of the reports while there are subscriptions; a shorter one counts as a millisecond.
    ///   - scheduler: The scheduler on which the reports are made.
    ///   - factory: The factory that makes the metrics; by default that of the task, or of the process, at the time of
    ///     this call.
    ///   - madeAt: A closure that tells when a value was made, for its age; called for each value, as is the clock.
    /// - Returns: A publisher of the same values.
    @inlinable @_disfavoredOverload
    public consuming func metered<C: Clock>(
      _ name: String, dimensions: [(String, String)] = [], every interval: Duration = .seconds(10),
      on scheduler: TaskScheduler<C>, factory: (any MetricsFactory)? = nil, madeAt: ((Output) -> C.Instant)? = nil
    ) -> Publishers.Lifted<Output, Failure> where C.Duration == Duration {
      Publishers.Lifted(
        MeteredPublisher(
          upstream: self,
          metrics: StreamMetrics(
            name, dimensions, hasAges: madeAt != nil, every: interval, on: scheduler, from: factory),
          age: madeAt.map { madeAt in { madeAt($0).duration(to: scheduler.now.instant) } }))
    }
  }

  @usableFromInline
  internal struct MeteredPublisher<Upstream: Publisher>: Publisher {
    @usableFromInline internal typealias Output = Upstream.Output
    @usableFromInline internal typealias Failure = Upstream.Failure

    @usableFromInline internal let upstream: Upstream
    @usableFromInline internal let metrics: StreamMetrics
    @usableFromInline internal let age: ((Output) -> Duration)?

    @inlinable
    internal init(upstream: Upstream, metrics: StreamMetrics, age: ((Output) -> Duration)?) {
      self.upstream = upstream
      self.metrics = metrics
      self.age = age
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      let stage = MeteredStage<Output, Failure>(meter: SubscriptionMeter(of: metrics), age: age)
      upstream.subscribe(ObservingSubscriber(stage, to: subscriber))
    }
  }

  /// The stage that counts what passes.
  @frozen
  @usableFromInline
  internal struct MeteredStage<Input, Failure: Error>: ObservingStage {
    @usableFromInline internal let meter: SubscriptionMeter
    @usableFromInline internal let age: ((Input) -> Duration)?

    @inlinable
    internal init(meter: SubscriptionMeter, age: ((Input) -> Duration)?) {
      self.meter = meter
      self.age = age
    }

    @inlinable
    internal static var name: String { "Metered" }

    @inlinable
    internal func observed(subscription: any Subscription) { meter.begin(subscription) }

    @inlinable
    internal func observed(value: Input) {
      meter.counts.noteValue()
      if let age { meter.counts.note(age: age(value)) }
    }

    @inlinable
    internal func observed(discarded value: Input) { meter.counts.noteDiscarded() }

    @inlinable
    internal func observed(completion: Subscribers.Completion<Failure>) {
      switch completion {
      case .finished: meter.end(.finished)
      case .failure: meter.end(.failed)
      }
    }

    @inlinable
    internal func observed(request: Subscribers.Demand, isAnswer: Bool) { meter.counts.note(request: request) }

    /// Upstream has been cancelled, so a value that is still being delivered on another thread is counted before the
    /// last report.
    @inlinable
    internal func observedCancel() { meter.cancel() }
  }
#endif
