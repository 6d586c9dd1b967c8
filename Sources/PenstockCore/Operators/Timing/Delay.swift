// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers everything a given time later.
  ///
  /// Each value, and the completion, waits for itself: the time between them stays.
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
  /// **Demand:** passes to upstream at once, on the thread that asks. What a delivery returns is asked for behind it, on
  /// the scheduler. What is on its way is kept, without a limit beyond what was asked for.
  ///
  /// **Completion:** delivered later, too, behind all values.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** the subscription arrives on the thread that subscribes, everything else on the scheduler, one after
  /// the other. A cancel takes effect at once: what is on its way is dropped.
  ///
  /// - Parameters:
  ///   - interval: How much later.
  ///   - tolerance: How much more is still fine; with nothing given, the scheduler's smallest tolerance.
  ///   - scheduler: Where to wait and to deliver.
  ///   - options: What the scheduler is told about each block.
  /// - Returns: A publisher of the same values, later.
  @inlinable
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler,
      options: options)
  }
}

extension Publishers {
  /// A publisher that delivers a given time later; see ``Publisher/delay(for:tolerance:scheduler:options:)``.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are delayed.
    public let upstream: Upstream

    /// How much later values are delivered.
    public let interval: Context.SchedulerTimeType.Stride

    /// How much more is still fine.
    public let tolerance: Context.SchedulerTimeType.Stride

    /// Where to wait and to deliver.
    public let scheduler: Context

    /// What the scheduler is told about each block.
    public let options: Context.SchedulerOptions?

    /// Makes a publisher that delivers a given time later.
    @inlinable
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

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(Relocating(DelayRoute(self), to: subscriber))
    }
  }
}

/// How `delay` schedules its blocks.
@usableFromInline
internal struct DelayRoute<Context: Scheduler>: RelocatingRoute {
  @usableFromInline internal let interval: Context.SchedulerTimeType.Stride
  @usableFromInline internal let tolerance: Context.SchedulerTimeType.Stride
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?

  @inlinable
  internal init<Upstream: Publisher>(_ delay: Publishers.Delay<Upstream, Context>) {
    interval = delay.interval
    tolerance = delay.tolerance
    scheduler = delay.scheduler
    options = delay.options
  }

  @inlinable
  internal static var name: String { "Delay" }

  @inlinable
  internal static var mayPutOff: Bool { false }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(
      after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, block)
  }

  @inlinable
  internal func scheduleDue(_ block: @escaping () -> Void) {
    scheduler.schedule(options: options, block)
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}
