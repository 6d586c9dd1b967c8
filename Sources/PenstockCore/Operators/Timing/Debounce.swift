// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes values that no other value follows within a given time.
  ///
  /// ![A value is published when 300 milliseconds have passed without another one.](debounce)
  ///
  /// A search field, for example, sends its query when the user has stopped typing.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let typed = PassthroughSubject<String, Never>()
  /// let cancellable = typed.debounce(for: 0.5, scheduler: scheduler).sink { print($0, scheduler.now) }
  /// for text in ["g", "ga", "gat", "gate"] {
  ///   typed.send(text)
  ///   scheduler.advance(by: text == "ga" ? 2 : 0.1)
  /// }
  /// scheduler.advance(by: 2)
  /// // Prints "ga 0.6s", "gate 2.7s" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream. A value that has not been requested when it is due is
  /// dropped.
  ///
  /// **Completion:** delivered on the scheduler. A value that is not due by then is dropped: a publisher that finishes
  /// right after its only value delivers only its completion.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time. A cancel takes effect at once. One timer waits on the scheduler, however many values arrive: when it goes
  /// off too soon for the latest, it is set anew for that value's time.
  ///
  /// Use `debounce` to wait for a pause, and ``throttle(for:scheduler:latest:)`` to publish at a limited rate while
  /// values keep arriving. ``removeDuplicates()`` skips repeated values, and
  /// ``delay(for:tolerance:scheduler:options:)`` drops nothing.
  ///
  /// - Parameters:
  ///   - dueTime: The time that must pass without another value.
  ///   - scheduler: The scheduler that waits and delivers.
  ///   - options: The scheduler options for each timer.
  /// - Returns: A publisher of the values that no other value follows within that time.
  @inlinable
  public consuming func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher of upstream values that no other value follows within a given time; see
  /// ``Publisher/debounce(for:scheduler:options:)``.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _OutputOrigin = Upstream
    public typealias _FailureOrigin = Upstream

    /// The publisher whose values are debounced.
    public let upstream: Upstream

    /// The time that must pass without another value.
    public let dueTime: Context.SchedulerTimeType.Stride

    /// The scheduler that waits and delivers.
    public let scheduler: Context

    /// The scheduler options for each timer.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher of upstream values that no other value follows within a given time.
    @inlinable
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      upstream.subscribe(ScheduledSubscriber(DebounceStage(self), to: subscriber), upstreamOf: S.self)
    }
  }
}

/// The stage of `debounce`: a timer that every value restarts.
@usableFromInline
package struct DebounceStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal let timer: RestartableTimer<Output, Context>
  /// The time of a value, where it is not the same for all.
  @usableFromInline internal let dueTime: ((Output) -> Context.SchedulerTimeType.Stride)?

  @inlinable
  internal init<Upstream: Publisher<Output, Failure>>(
    _ debounce: Publishers.Debounce<Upstream, Context>
  ) {
    timer = RestartableTimer(debounce.dueTime, debounce.scheduler, options: debounce.options)
    dueTime = nil
  }

  /// Each value waits for a time of its own.
  @inlinable
  package init(
    dueTimeOf dueTime: @escaping (Output) -> Context.SchedulerTimeType.Stride, _ scheduler: Context,
    options: Context.SchedulerOptions?
  ) {
    timer = RestartableTimer(scheduler, options: options)
    self.dueTime = dueTime
  }

  @inlinable
  package static var name: String { "Debounce" }

  @inlinable
  package static var countsDemand: Bool { true }

  @inlinable
  package func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    let replaced = timer.set(input, for: time(of: input)) { number in { shape.stage.fire(number, in: shape) } }
    if let replaced { shape.noteDiscard(replaced, .replaced) }
    return .none
  }

  /// The time after which a value is due that has a time of its own.
  @inlinable
  internal func time(of input: Output) -> Context.SchedulerTimeType.Stride? {
    guard let time = dueTime?(input) else { return nil }
    require(time >= 0, of: "debounce(for:)", rule: "a time of 0 or more", given: time)
    return time
  }

  /// Delivers a value that no other value has followed in time.
  ///
  /// Called by the timer.
  @inlinable
  internal func fire(_ number: UInt, in shape: Shape) {
    var refused: Output?
    let isAppended = timer.fire(number, block: { number in { shape.stage.fire(number, in: shape) } }) {
      if shape.demand.takeOne(), shape.append($0) { return true }
      refused = $0
      return false
    }
    if isAppended { shape.takeTurn() }
    if let refused { shape.noteDiscard(refused, shape.isClosed ? .ended : .withoutDemand) }
  }

  @inlinable
  package func cancelTimers(in shape: Shape) {
    if let waiting = timer.cancel() { shape.noteDiscard(waiting, .ended) }
  }

  @inlinable
  package func schedule(_ block: @escaping () -> Void) {
    timer.scheduler.schedule(block)
  }

  @inlinable
  package func mirrorChildren(in shape: Shape) -> [(label: String?, value: Any)] {
    [
      ("downstream", shape.underlying as Any), ("downstreamDemand", shape.demand.balance),
      ("currentValue", timer.payload as Any),
    ]
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}
