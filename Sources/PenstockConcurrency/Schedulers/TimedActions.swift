// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The actions of a scheduler in the time of a clock: the part that all such schedulers share, wherever they perform
/// actions.
internal struct TimedActions<C: Clock>: Sendable where C.Duration == Duration {
  internal let actions: TaskActions
  private let delayed = DelayedActions<C.Instant>()
  private let waits: Waits<C>

  /// - Parameters:
  ///   - clock: The clock that measures the time.
  ///   - later: Has a host run a block after a time; `nil` for the clock's own calls.
  ///   - start: Starts a job that performs the actions.
  internal init(
    _ clock: C, later: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)? = nil,
    _ start: @escaping @Sendable (TaskActions) -> Void
  ) {
    actions = TaskActions(start)
    waits = Waits(clock: clock, later: later)
  }

  internal var now: ClockTime<C> { ClockTime(waits.clock.now) }
  internal var minimumTolerance: ClockStride { ClockStride(waits.clock.minimumResolution) }

  internal func schedule(_ action: @escaping () -> Void) { actions.append(action) }

  internal func schedule(after date: ClockTime<C>, tolerance: ClockStride, _ action: @escaping () -> Void) {
    delayed.add(action, at: date.instant)
    // A date that has been reached does not go through the clock.
    if date.instant <= waits.clock.now { return actions.append(delayed.performFirst) }
    _ = waits.call(at: date.instant, tolerance: tolerance.countable) { [actions, delayed] in
      actions.append(delayed.performFirst)
    }
  }

  internal func schedule(
    after date: ClockTime<C>, interval: ClockStride, tolerance: ClockStride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let ticks = Ticks(actions, waits, interval: interval.asRepeated, tolerance: tolerance, action)
    ticks.start(at: date)
    return AnyCancellable { ticks.cancel() }
  }
}

/// How a scheduler waits for a date.
internal struct Waits<C: Clock>: Sendable where C.Duration == Duration {
  internal let clock: C
  internal let later: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)?

  /// Calls a closure when the clock has reached a date.
  ///
  /// - Returns: A closure that cancels the call, as far as a host can: the host's block still runs, but does nothing.
  internal func call(
    at date: C.Instant, tolerance: Duration, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    guard let later else { return clock.call(at: date, tolerance: tolerance, action) }
    let pending = Guarded<(@Sendable () -> Void)?>(action)
    let clock = clock
    @Sendable func wait() {
      let rest = clock.now.duration(to: date)
      // A host's timer may be early; then it is asked again.
      if rest > .zero { return later(rest) { if pending.withLock({ $0 != nil }) { wait() } } }
      pending.withLock { $0.take() }?()
    }
    wait()
    return { withExtendedLifetime(pending.withLock { $0.take() }) {} }
  }
}
