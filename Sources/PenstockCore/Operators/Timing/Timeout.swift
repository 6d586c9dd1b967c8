// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

extension Publisher {
  /// Ends the stream if no value arrives within a given time.
  ///
  /// ![When nothing has come for 400 milliseconds, upstream is cancelled and the output finishes.](timeout)
  ///
  /// The time starts at the subscription, and again at the first request and at every value.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let answers = PassthroughSubject<String, Never>()
  /// let cancellable = answers.timeout(5, scheduler: scheduler).sink(
  ///   receiveCompletion: { print($0, scheduler.now) }, receiveValue: { print($0) })
  /// scheduler.advance(by: 4)
  /// answers.send("here")
  /// scheduler.advance(by: 60)
  /// // Prints "here", "finished 9s" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream at once, on the requesting thread. Demand that a delivery returns is requested
  /// after it, on the scheduler.
  ///
  /// **Completion:** delivered on the scheduler, after all values. When the time has passed, upstream is cancelled and
  /// the publisher finishes; values that have not been delivered by then are dropped.
  ///
  /// **Failure:** delivered on the scheduler, after all values. When the time has passed and there is a closure for the
  /// error, the publisher fails with the error that it returns.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time; the closure runs there, too. A cancel takes effect at once. One timer waits on the scheduler, however many
  /// values arrive: when it goes off too soon for the latest value, it is set again for that value's time.
  ///
  /// Use ``prefix(untilOutputFrom:)`` to end at an event rather than after a silence, and ``catch(_:)`` after a timeout
  /// with an error to continue with something else.
  ///
  /// - Parameters:
  ///   - interval: The maximum time without a value.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - options: The scheduler options for each scheduled action.
  ///   - customError: A closure that returns the error to fail with; if `nil`, the publisher finishes.
  /// - Returns: A publisher of the same values that ends if no value arrives in time.
  @_alwaysEmitIntoClient
  public consuming func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}

extension Publishers {
  /// A publisher that ends if no upstream value arrives within a given time; see
  /// ``Publisher/timeout(_:scheduler:options:customError:)``.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are expected in time.
    public let upstream: Upstream

    /// The maximum time without a value.
    public let interval: Context.SchedulerTimeType.Stride

    /// The scheduler that waits and delivers.
    public let scheduler: Context

    /// The scheduler options for each scheduled action.
    public let options: Context.SchedulerOptions?

    /// The closure that returns the error to fail with; `nil` to finish.
    public let customError: (() -> Upstream.Failure)?

    /// Creates a publisher that ends if no upstream value arrives within a given time.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      upstream.subscribe(ScheduledSubscriber(TimeoutStage(self), to: subscriber), upstreamOf: S.self)
    }
  }
}

/// The stage of `timeout`: a timer that every value restarts.
@usableFromInline
internal struct TimeoutStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal let timer: RestartableTimer<Void, Context>
  @usableFromInline internal let customError: (() -> Failure)?
  @usableFromInline internal let hasRequested = AtomicCell(false)

  @inlinable
  internal init<Upstream: Publisher<Output, Failure>>(
    _ timeout: Publishers.Timeout<Upstream, Context>
  ) {
    timer = RestartableTimer(timeout.interval, timeout.scheduler, options: timeout.options)
    customError = timeout.customError
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Timeout" }

  @_alwaysEmitIntoClient
  internal func begin(in shape: Shape) {
    restartTimer(in: shape)
  }

  @_alwaysEmitIntoClient
  internal func request(_ demand: Subscribers.Demand, in shape: Shape) {
    let isFirst = !hasRequested.exchange(true, ordering: .acquiringAndReleasing)
    if isFirst, shape.inlet.isActive { restartTimer(in: shape) }
    shape.requestUpstream(demand)
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    restartTimer(in: shape)
    shape.schedule(input)
    return .none
  }

  @inlinable
  internal func restartTimer(in shape: Shape) {
    timer.set(()) { number in { shape.stage.fire(number, in: shape) } }
  }

  /// Ends the stream, because no value has arrived in time.
  ///
  /// Called by the timer.
  @inlinable
  internal func fire(_ number: UInt, in shape: Shape) {
    let isOver = timer.fire(number, block: { number in { shape.stage.fire(number, in: shape) } }) { true }
    guard isOver, shape.cancelUpstream() else { return }
    timer.cancel()
    let completion = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
    // Replaces the events that have not been delivered yet.
    if shape.replaceEvents(withCompletion: completion) { shape.takeTurn() }
  }

  @_alwaysEmitIntoClient
  internal func cancelTimers(in shape: Shape) {
    timer.cancel()
  }

  @_alwaysEmitIntoClient
  internal func show(in link: inout LinkState) { timer.show(in: &link, 0) }

  @_alwaysEmitIntoClient
  internal func schedule(_ block: @escaping () -> Void) {
    timer.scheduler.schedule(options: timer.options, block)
  }
}
