// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// An action that is performed again and again in the time of a clock.
internal final class Ticks<C: Clock>: Sendable where C.Duration == Duration {
  private struct State {
    /// `nil` after the cancel.
    var action: UncheckedAction?
    /// Cancels the call of the clock.
    var cancelCall: (@Sendable () -> Void)?
    /// Whether a tick waits for the job.
    var isDue = false
  }

  private let state: Guarded<State>
  private let actions: TaskActions
  private let waits: Waits<C>
  private let interval: ClockStride
  private let tolerance: ClockStride

  internal init(
    _ actions: TaskActions, _ waits: Waits<C>, interval: ClockStride, tolerance: ClockStride,
    _ action: @escaping () -> Void
  ) {
    state = Guarded(State(action: UncheckedAction(perform: action)))
    (self.actions, self.waits, self.interval, self.tolerance) = (actions, waits, interval, tolerance)
  }

  /// Starts to wait for the first tick.
  internal func start(at date: ClockTime<C>) {
    let now = ClockTime<C>(waits.clock.now)
    if date > now { return wait(until: date) }
    // A date that has been reached does not go through the clock. Missed ticks are not made up for: a date may be years
    // ago.
    let first = date.advanced(by: interval) < now ? now : date
    actions.append { self.tick(first) }
  }

  private func wait(until date: ClockTime<C>) {
    let cancelCall = waits.call(at: date.instant, tolerance: tolerance.countable) { self.tick(date) }
    let isOver = state.withLock { state in
      if state.action != nil { state.cancelCall = cancelCall }
      return state.action == nil
    }
    if isOver { cancelCall() }
  }

  private func tick(_ date: ClockTime<C>) {
    let isFirst = state.withLock { state in
      defer { state.isDue = true }
      return state.action != nil && !state.isDue
    }
    if isFirst { actions.append { self.perform() } }
    if state.withLock({ $0.action != nil }) { wait(until: date.advanced(by: interval)) }
  }

  private func perform() {
    let action = state.withLock { state in
      state.isDue = false
      return state.action
    }
    action?.perform()
  }

  internal func cancel() {
    let (action, cancelCall) = state.withLock { state in
      defer { (state.action, state.cancelCall) = (nil, nil) }
      return (state.action, state.cancelCall)
    }
    cancelCall?()
    withExtendedLifetime(action) {}
  }
}
