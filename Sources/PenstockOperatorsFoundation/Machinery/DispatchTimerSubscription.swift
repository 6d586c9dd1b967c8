// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Dispatch
internal import PenstockCore
internal import PenstockDispatch

/// The subscription of one subscriber of a `Publishers.DispatchTimer`.
///
/// The timer keeps it alive until the subscriber has cancelled or all values have been delivered.
internal final class DispatchTimerSubscription: Subscription {
  fileprivate struct State {
    /// The subscriber; `nil` after the end.
    var downstream: ErasedSubscriber?
    var hasStarted = false
    var clock: (any Cancellable)?
    /// The number of values that are still to be delivered.
    var left: Subscribers.Demand
    /// Whether the subscriber is busy: with a value or, at first, with the subscription.
    ///
    /// A tick during that time is dropped.
    var isBusy = true
  }

  private let ledger = DemandLedger()
  private let introduction = IntroductionHold()
  private let state: Guarded<State>
  private let interval: DispatchQueue.SchedulerTimeType.Stride
  private let leeway: DispatchQueue.SchedulerTimeType.Stride
  private let scheduler: any Scheduler<DispatchQueue.SchedulerTimeType>

  internal init(
    _ downstream: ErasedSubscriber, configuration: DispatchTimerConfiguration,
    scheduler: any Scheduler<DispatchQueue.SchedulerTimeType>
  ) {
    state = Guarded(State(downstream: downstream, left: configuration.times))
    interval = DispatchQueue.SchedulerTimeType.Stride(configuration.interval)
    leeway = DispatchQueue.SchedulerTimeType.Stride(configuration.leeway)
    self.scheduler = scheduler
  }

  internal func introduce() {
    state.withLock { $0.downstream }?.receive(subscription: self)
    state.withLock { $0.isBusy = false }
    if introduction.end() { finish() }
  }

  internal func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    guard ledger.add(demand) != nil else { return }
    let (starts, isOver) = state.withLock { state -> (Bool, Bool) in
      if state.hasStarted { return (false, false) }
      state.hasStarted = true
      return (true, state.left == .none)
    }
    guard starts else { return }
    if !isOver { return start() }
    // The completion must not overlap with the introduction either.
    if introduction.isOpen || !introduction.holdBack() { finish() }
  }

  private func start() {
    let clock = scheduler.schedule(
      after: scheduler.now.advanced(by: interval), interval: interval, tolerance: leeway, tick)
    let isOver = state.withLock { state in
      if state.downstream != nil { state.clock = clock }
      return state.downstream == nil
    }
    // The subscription has been cancelled meanwhile, or has ended with the first ticks.
    if isOver { clock.cancel() }
  }

  private func tick() {
    let (downstream, isLast) = state.withLock { state -> (ErasedSubscriber?, Bool) in
      guard let downstream = state.downstream, !state.isBusy, ledger.takeOne() else { return (nil, false) }
      state.isBusy = true
      if !state.left.isUnlimited { state.left -= 1 }
      return (downstream, state.left == .none)
    }
    guard let downstream else { return }
    let more = downstream.receive(scheduler.now.dispatchTime)
    if isLast { return finish() }
    if more != .none { ledger.add(more) }
    state.withLock { $0.isBusy = false }
  }

  private func finish() {
    end()?.receive(completion: Subscribers.Completion<Never>.finished)
  }

  internal func cancel() {
    _ = end()
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

extension DispatchTimerSubscription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  internal var description: String { "DispatchTimer" }

  internal var customMirror: Mirror {
    let downstream = state.withLock { $0.downstream }
    return Mirror(self, children: ["downstream": downstream?.underlying as Any, "demand": ledger.balance])
  }

  internal var playgroundDescription: Any { description }
}
