// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  internal import PenstockConcurrency
  internal import PenstockCore

  /// One timer for all publishers that report at the same interval, unless they have a scheduler of their own.
  ///
  /// Starting and ending a timer takes longer than everything else in a short stream. So it runs while there are
  /// publishers with subscriptions, and until its next turn.
  internal final class ReportTimer: Sendable {
    private struct State {
      var actions: [Int: Action] = [:]
      var number = 0
      var isRunning = false
      var timer: (any Cancellable)?
    }

    /// The action at each turn; a structure, because a closure that is stored on its own is wrapped in a thunk.
    private struct Action: @unchecked Sendable {
      // `@unchecked`: reports may be made on any thread.
      let perform: () -> Void
    }

    private static let timers = Guarded<[Duration: ReportTimer]>([:])

    private let state = Guarded(State())
    private let scheduler: TaskScheduler<ContinuousClock>
    private let stride: ClockStride

    private init(_ interval: Duration, on scheduler: TaskScheduler<ContinuousClock>) {
      (self.scheduler, stride) = (scheduler, ClockStride(interval))
    }

    /// Performs an action at each turn of the timer of an interval, until it is cancelled.
    internal static func start(
      every interval: Duration, on scheduler: TaskScheduler<ContinuousClock>, _ action: @escaping () -> Void
    ) -> any Cancellable {
      let timer = timers.withLock { timers in
        if let timer = timers[interval] { return timer }
        let timer = ReportTimer(interval, on: scheduler)
        timers[interval] = timer
        return timer
      }
      return timer.add(action)
    }

    private func add(_ action: @escaping () -> Void) -> any Cancellable {
      let (number, isFirst) = state.withLock { state in
        state.number += 1
        state.actions[state.number] = Action(perform: action)
        return (state.number, !exchange(&state.isRunning, with: true))
      }
      if isFirst { run() }
      return AnyCancellable { self.remove(number) }
    }

    private func remove(_ number: Int) {
      let action = state.withLock { $0.actions.removeValue(forKey: number) }
      withExtendedLifetime(action) {}
    }

    /// Starts the timer, outside the lock, since this is a scheduler's code.
    private func run() {
      let timer = scheduler.schedule(
        after: scheduler.now.advanced(by: stride), interval: stride, tolerance: scheduler.minimumTolerance, options: nil
      ) { self.turn() }
      let isNeeded = state.withLock { state in
        // A turn may have ended it meanwhile, and another publisher may have started it again.
        guard state.isRunning, state.timer == nil else { return false }
        state.timer = timer
        return true
      }
      if !isNeeded { timer.cancel() }
    }

    private func turn() {
      let (actions, timer) = state.withLock { state in
        if state.actions.isEmpty { state.isRunning = false }
        return (state.actions, state.isRunning ? nil : state.timer.take())
      }
      timer?.cancel()
      for action in actions.values { action.perform() }
    }
  }
#endif
