// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  public import CoreMetrics
  public import PenstockConcurrency
  public import PenstockCore

  extension Publisher {
    /// Reports how many values pass here, how long the streams live, and what is asked for, as metrics of swift-metrics.
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
    /// The stream itself is unchanged. Each metric has the name as its dimension `stream`, and the other dimensions that
    /// are given; all subscriptions of a publisher are one in it, and so are all publishers with the same name, dimensions and
    /// factory.
    ///
    /// | metric | kind | what it tells |
    /// |---|---|---|
    /// | `penstock.subscriptions` | meter | subscriptions that have neither ended nor been cancelled |
    /// | `penstock.values` | counter | values that have passed |
    /// | `penstock.discarded` | counter | values that came too late, by `reason`: `ended`, `cancelled` |
    /// | `penstock.requested` | meter | values asked for and not delivered, over all subscriptions that ask for a number |
    /// | `penstock.unlimited` | meter | subscriptions that have asked for everything |
    /// | `penstock.waiting` | meter | values that operators upstream of here keep |
    /// | `penstock.value.age` | timer | the age of the oldest value of each report, where `madeAt` is given |
    /// | `penstock.stream.duration` | timer | from the subscription to the `end`: `finished`, `failed`, `cancelled` |
    ///
    /// Values are counted where they pass, and reported at an interval, and when a subscription ends: so a stream costs a
    /// few calls of the metrics system per interval, however many values it has. A number that has not changed is not
    /// reported. Meters are moved by differences, and publishers of the same name share them, so that they add up, also where
    /// the factory has no meters of its own. A factory that is not an object is known by its memory: one that makes an array or
    /// a closure of its own each time is another one.
    ///
    /// The metrics are never destroyed, since the system may read a number long after its stream has ended. So a name for each
    /// request stays in the metrics system, also where the factory could destroy metrics.
    ///
    /// **Demand:** passed on unchanged. A value that comes unasked is delivered and counted.
    ///
    /// **Completion:** forwarded, after it has been reported. A value that comes later is counted as discarded, and not
    /// forwarded.
    ///
    /// **Failure:** forwarded, in the same way.
    ///
    /// **Concurrency:** adds no thread to the stream and no lock for a value. Reports at the interval come from the
    /// threads that Swift keeps for tasks; those of an end come from the thread that ends the subscription. No lock is
    /// held while the metrics system is called.
    ///
    /// **Traps:** dimensions of which two have one name, or one has the name `stream`, `reason` or `end`, which the metrics have.
    ///
    /// Use ``metered(_:dimensions:every:on:factory:madeAt:)`` for a report elsewhere, or in virtual time.
    ///
    /// - Parameters:
    ///   - name: The name of the stream. Each name is a time series in the metrics system, so it must not be made from values.
    ///   - dimensions: More dimensions, which are the same for all values.
    ///   - interval: The interval of the reports while there are subscriptions; a shorter one counts as a millisecond.
    ///   - factory: What makes the metrics. By default the one of the task, or of the process, at the time of this call.
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

    /// Reports how many values pass here, how long the streams live, and what is asked for, at an interval of a given
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
    /// **Traps:** dimensions of which two have one name, or one has the name `stream`, `reason` or `end`.
    ///
    /// - Parameters:
    ///   - name: The name of the stream.
    ///   - dimensions: More dimensions, which are the same for all values.
    ///   - interval: The interval of the reports while there are subscriptions; a shorter one counts as a millisecond.
    ///   - scheduler: Where the reports are made.
    ///   - factory: What makes the metrics. By default the one of the task, or of the process, at the time of this call.
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

  /// Counts what passes.
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

    /// A value on its way on another thread is counted before the last report, if it is still delivered: upstream has been
    /// cancelled.
    @inlinable
    internal func observedCancel() { meter.cancel() }
  }
#endif
