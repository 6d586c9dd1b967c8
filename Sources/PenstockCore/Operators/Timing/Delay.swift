// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

extension Publisher {
  /// Delivers values and the completion after a given time.
  ///
  /// ![Every value and the completion come 300 milliseconds later.](delay)
  ///
  /// Each value, and the completion, is delayed by the same time: the intervals between them stay the same.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let gate = PassthroughSubject<String, Never>()
  /// let cancellable = gate.delay(for: 3, scheduler: scheduler).sink { print($0, scheduler.now) }
  /// gate.send("open")
  /// scheduler.advance(by: 1)
  /// gate.send("close")
  /// scheduler.advance(by: 10)
  /// // Prints "open 3s", "close 4s" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream at once, on the requesting thread. Demand that a delivery returns is requested
  /// after it, on the scheduler. Delayed values are kept, without a limit other than the demand.
  ///
  /// **Completion:** also delayed, and delivered after all values.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time. A cancel takes effect at once: delayed values are dropped.
  ///
  /// Use ``receive(on:options:)`` to change the scheduler without a delay, and ``debounce(for:scheduler:options:)`` to
  /// wait for a pause.
  ///
  /// - Parameters:
  ///   - interval: The time to delay by.
  ///   - tolerance: The tolerance of the delay; by default the scheduler's minimum tolerance.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - options: The scheduler options for each scheduled action.
  /// - Returns: A publisher of the same values after the delay.
  @_alwaysEmitIntoClient
  public consuming func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler,
      options: options)
  }
}

extension Publishers {
  /// A publisher that delays upstream values and the completion; see
  /// ``Publisher/delay(for:tolerance:scheduler:options:)``.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are delayed.
    public let upstream: Upstream

    /// The time to delay by.
    public let interval: Context.SchedulerTimeType.Stride

    /// The tolerance of the delay.
    public let tolerance: Context.SchedulerTimeType.Stride

    /// The scheduler that waits and delivers.
    public let scheduler: Context

    /// The scheduler options for each scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that delays upstream values and the completion.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
      scheduler: Context, options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      upstream.subscribe(ScheduledSubscriber(DelayStage(self), to: subscriber), upstreamOf: S.self)
    }
  }
}

/// The stage of `delay`.
@usableFromInline
internal struct DelayStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal let interval: Context.SchedulerTimeType.Stride
  @usableFromInline internal let tolerance: Context.SchedulerTimeType.Stride
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?
  /// The dates of the blocks that have not run, for tools.
  @usableFromInline internal let dates = Guarded(UniqueDeque<Context.SchedulerTimeType>())

  @inlinable
  internal init<Upstream: Publisher<Output, Failure>>(_ delay: Publishers.Delay<Upstream, Context>) {
    interval = delay.interval
    tolerance = delay.tolerance
    scheduler = delay.scheduler
    options = delay.options
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Delay" }

  @_alwaysEmitIntoClient
  internal static var releasesDownstream: Bool { true }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    if shape.append(input) { scheduleLater(shape) }
    return .none
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    if shape.append(completion: completion) { scheduleLater(shape) }
  }

  @inlinable
  internal func scheduleLater(_ shape: Shape) {
    let date = scheduler.now.advanced(by: interval)
    dates.withLock { $0.append(date) }
    scheduler.schedule(after: date, tolerance: tolerance, options: options) {
      shape.stage.dates.withLock { _ = $0.popFirst() }
      shape.takeTurn()
    }
  }

  @_alwaysEmitIntoClient
  internal func show(in link: inout LinkState) {
    if let date = dates.withLock({ $0.isEmpty ? nil : $0[0] }) { link.keep(0, until: date, on: scheduler) }
  }

  @_alwaysEmitIntoClient
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(options: options, block)
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}
