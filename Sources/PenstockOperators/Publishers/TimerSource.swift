// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// When a ``TimerSource`` ticks, and how often.
@usableFromInline
package struct TimerRhythm<Context: Scheduler> {
  @usableFromInline internal let interval: Context.SchedulerTimeType.Stride
  @usableFromInline internal let tolerance: Context.SchedulerTimeType.Stride
  @usableFromInline internal let options: Context.SchedulerOptions?
  /// The number of values after which the timer finishes.
  @usableFromInline internal let times: Subscribers.Demand

  @inlinable
  package init(
    interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
    options: Context.SchedulerOptions? = nil, times: Subscribers.Demand = .unlimited
  ) {
    self.interval = interval
    self.tolerance = tolerance
    self.options = options
    self.times = times
  }
}

/// The state of a ``TimerSource``, behind its lock.
///
/// Not nested in that type: the runtime looks up what is nested in a generic type, each time that code which is not
/// specialised uses it.
@usableFromInline
internal struct TimerState {
  /// The subscriber; `nil` before the subscription, and after the end.
  @usableFromInline internal var downstream: ErasedSubscriber?
  @usableFromInline internal var hasStarted = false
  @usableFromInline internal var clock: (any Cancellable)?
  /// The number of values that are still to be delivered.
  @usableFromInline internal var left: Subscribers.Demand
  /// Whether a value is being delivered: a tick during that time is dropped, as during the introduction.
  @usableFromInline internal var isBusy = false

  @inlinable
  internal init(left: Subscribers.Demand) { self.left = left }
}

/// A timer on a scheduler, for one subscriber.
///
/// The timer keeps it alive until the subscriber has cancelled or all values have been delivered.
@usableFromInline
package final class TimerSource<Context: Scheduler>: SubscriptionSource {
  @usableFromInline internal let ledger = DemandLedger()
  @usableFromInline internal let introduction = IntroductionHold()
  @usableFromInline internal let state: Guarded<TimerState>
  @usableFromInline internal let rhythm: TimerRhythm<Context>
  @usableFromInline internal let scheduler: Context
  /// Delivers the time to the subscriber, as the value that it expects.
  @usableFromInline internal let deliver: (Context.SchedulerTimeType, ErasedSubscriber) -> Subscribers.Demand

  @inlinable
  package init(
    _ rhythm: TimerRhythm<Context>, scheduler: Context,
    deliver: @escaping (Context.SchedulerTimeType, ErasedSubscriber) -> Subscribers.Demand
  ) {
    state = Guarded(TimerState(left: rhythm.times))
    self.rhythm = rhythm
    self.scheduler = scheduler
    self.deliver = deliver
  }

  /// Delivers a subscription.
  @usableFromInline
  package func start(_ downstream: ErasedSubscriber, name: String) {
    introduce(downstream, name: name)
    if introduction.end() { finish() }
  }

  @usableFromInline
  package func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    state.withLock { $0.downstream = downstream }
  }

  @usableFromInline
  package func show(in link: inout LinkState) {
    link.downstream = state.withLock { $0.downstream }
    link.take(ledger)
  }

  @usableFromInline
  package func cancel(_ subscription: SourceSubscription) { _ = end() }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard ledger.add(demand) != nil else { return }
    let (starts, isOver) = state.withLock { state -> (Bool, Bool) in
      if state.hasStarted { return (false, false) }
      state.hasStarted = true
      return (true, state.left == .none)
    }
    guard starts else { return }
    if !isOver { return begin() }
    // The completion must not overlap with the introduction either.
    if introduction.isOpen || !introduction.holdBack() { finish() }
  }

  private func begin() {
    let interval = rhythm.interval.asRepeated
    let clock = scheduler.schedule(
      after: scheduler.now.advanced(by: interval), interval: interval, tolerance: rhythm.tolerance,
      options: rhythm.options, tick)
    let isOver = state.withLock { state in
      if state.downstream != nil { state.clock = clock }
      return state.downstream == nil
    }
    // The subscription has been cancelled meanwhile, or the first ticks have ended it.
    if isOver { clock.cancel() }
  }

  private func tick() {
    let (downstream, isLast) = state.withLock { state -> (ErasedSubscriber?, Bool) in
      guard let downstream = state.downstream, introduction.isOver, !state.isBusy, ledger.takeOne() else {
        return (nil, false)
      }
      state.isBusy = true
      if !state.left.isUnlimited { state.left -= 1 }
      return (downstream, state.left == .none)
    }
    guard let downstream else { return }
    let more = deliver(scheduler.now, downstream)
    if isLast { return finish() }
    if more != .none { ledger.add(more) }
    state.withLock { $0.isBusy = false }
  }

  private func finish() {
    end()?.receive(completion: Subscribers.Completion<Never>.finished)
  }

  /// Stops the timer, and releases the subscriber.
  ///
  /// - Returns: On the first call, the subscriber.
  private func end() -> ErasedSubscriber? {
    _ = ledger.close()
    let (downstream, clock) = state.withLock { ($0.downstream.take(), $0.clock.take()) }
    clock?.cancel()
    return downstream
  }
}
