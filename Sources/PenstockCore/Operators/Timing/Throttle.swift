// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes at most one value in each interval of time.
  ///
  /// The first value is published at once. Of the values that arrive during the interval after it, one is published at
  /// its end: the latest or the first.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let level = PassthroughSubject<Int, Never>()
  /// let cancellable = level.throttle(for: 1, scheduler: scheduler, latest: true).sink { print($0, scheduler.now) }
  /// for reading in 1...5 {
  ///   level.send(reading)
  ///   scheduler.advance(by: 0.3)
  /// }
  /// scheduler.advance(by: 1)
  /// // Prints "1 0s", "4 1s", "5 2s" on three lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream as soon as the subscriber has its subscription. A value
  /// that arrives while none is requested is dropped.
  ///
  /// **Completion:** delivered on the scheduler: together with the value that waits, if there is one, or as soon as
  /// possible.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time. A cancel takes effect at once. Scheduled actions do not keep the pipeline alive.
  ///
  /// Use `throttle` to publish at a limited rate while values keep arriving, and ``debounce(for:scheduler:options:)``
  /// to wait for a pause. ``collect(_:options:)`` keeps all values of an interval.
  ///
  /// - Parameters:
  ///   - interval: The minimum time between two values.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - latest: Whether to publish the latest value of an interval; if `false`, the first.
  /// - Returns: A publisher of at most one value in each interval.
  @inlinable
  public consuming func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// A publisher of at most one upstream value in each interval of time; see
  /// ``Publisher/throttle(for:scheduler:latest:)``.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are throttled.
    public let upstream: Upstream

    /// The minimum time between two values.
    public let interval: Context.SchedulerTimeType.Stride

    /// The scheduler that waits and delivers.
    public let scheduler: Context

    /// Whether to publish the latest value of an interval; if `false`, the first.
    public let latest: Bool

    /// Creates a publisher of at most one upstream value in each interval of time.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(ScheduledSubscriber(ThrottleStage(self), to: ReleasableSubscriber(subscriber)))
    }
  }
}

/// The stage of `throttle`: one emission at most is scheduled, of the first or the latest value that arrives until then.
@usableFromInline
internal struct ThrottleStage<Released: Subscriber, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal typealias Downstream = ReleasableSubscriber<Released>

  @usableFromInline
  internal struct State {
    /// The value of the scheduled emission.
    @usableFromInline internal var pending: Released.Input?
    /// The completion to deliver after it.
    @usableFromInline internal var ending: Subscribers.Completion<Released.Failure>?
    /// The date of the last emission.
    @usableFromInline internal var lastEmission: Context.SchedulerTimeType?

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let interval: Context.SchedulerTimeType.Stride
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let latest: Bool
  @usableFromInline internal let state = Guarded(State())

  @inlinable
  internal init<Upstream: Publisher<Released.Input, Released.Failure>>(
    _ throttle: Publishers.Throttle<Upstream, Context>
  ) {
    interval = throttle.interval
    scheduler = throttle.scheduler
    latest = throttle.latest
    // Combine reads the clock here and when it subscribes, and a test's scheduler may count that.
    _ = scheduler.now
  }

  @inlinable
  internal static var name: String { "Throttle" }

  @inlinable
  internal static var countsDemand: Bool { true }

  @inlinable
  internal static var remembersEarlyCancel: Bool { true }

  @inlinable
  internal func begin(in shape: Shape) {
    _ = scheduler.now
  }

  @inlinable
  internal func receive(_ input: Released.Input, in shape: Shape) -> Subscribers.Demand {
    let now = scheduler.now
    // Exchanged, so that a value that is replaced is released outside the lock.
    var value: Released.Input? = input
    let (isFirst, lastEmission) = state.withLock { state -> (Bool, Context.SchedulerTimeType?) in
      let isFirst = state.pending == nil
      guard isFirst ? shape.demand.takeOne() : latest else { return (false, nil) }
      swap(&state.pending, &value)
      return (isFirst, state.lastEmission)
    }
    guard isFirst else { return .none }
    let emit = { [weak shape] in if let shape { shape.stage.emit(in: shape) } }
    if let date = lastEmission?.advanced(by: interval), date > now {
      scheduler.schedule(after: date, emit)
    } else {
      scheduler.schedule(emit)
    }
    return .none
  }

  /// Delivers the pending value, and the completion that waits for it; called by the scheduler.
  @inlinable
  internal func emit(in shape: Shape) {
    // Combine does not read the clock after a cancel, and a test's scheduler may count that.
    if shape.isClosed { return }
    let now = scheduler.now
    var emitted = State()
    // Appended to the queue before the lock is released, so that no later decision can overtake it.
    let turns = state.withLock { state in
      guard let value = state.pending else { return 0 }
      swap(&state, &emitted)
      state.lastEmission = now
      return (shape.append(value) ? 1 : 0) + (emitted.ending.map { shape.append(completion: $0) } ?? false ? 1 : 0)
    }
    for _ in 0..<turns { shape.takeTurn() }
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Released.Failure>, in shape: Shape) {
    _ = scheduler.now
    let isAppended = state.withLock { state in
      if state.pending == nil { return shape.append(completion: completion) }
      state.ending = completion
      return false
    }
    if isAppended { scheduler.schedule { [weak shape] in shape?.takeTurn() } }
  }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(block)
  }

  @inlinable
  internal func discard(in shape: Shape) {
    var rest = State()
    state.withLock { swap(&$0, &rest) }
    shape.downstream.release()
  }
}

extension Publishers.Throttle: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}
