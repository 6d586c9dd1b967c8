// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A timer that is set again and again, of which only the last setting counts.
///
/// Schedulers may run a block inside of the very call that schedules it, or on another thread before that has returned,
/// so a setting has a number before it has a timer. Nothing here is called with the lock held: timers are handed back to
/// be cancelled.
@usableFromInline
package struct Alarm<Payload>: ~Copyable {
  @usableFromInline
  internal struct State {
    /// The number of the last setting.
    @usableFromInline internal var number: UInt = 0
    /// What the last setting is for, until it goes off.
    @usableFromInline internal var payload: Payload?
    @usableFromInline internal var timer: (any Cancellable)?
    @usableFromInline internal var isOver = false

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let state = Guarded(State())

  @inlinable
  package init() {}

  /// What the last setting is for, until it goes off.
  @inlinable
  package var payload: Payload? { state.withLock { $0.payload } }

  /// Begins a setting, in the place of the one before.
  ///
  /// - Returns: Its number; `nil` after the end.
  @inlinable
  package borrowing func set(_ payload: Payload) -> UInt? {
    var replaced: Payload? = payload
    let number = state.withLock { state -> UInt? in
      guard !state.isOver else { return nil }
      state.number += 1
      swap(&state.payload, &replaced)
      return state.number
    }
    // Freed here, outside of the lock.
    withExtendedLifetime(replaced) {}
    return number
  }

  /// Hands over the timer of a setting.
  ///
  /// - Returns: The timer that is to be cancelled: the one before, or this one if it has come too late.
  @inlinable
  package borrowing func keep(_ timer: any Cancellable, of number: UInt) -> (any Cancellable)? {
    state.withLock { state in
      guard state.number == number, state.payload != nil else { return timer }
      let before = state.timer
      state.timer = timer
      return before
    }
  }

  /// Goes off, and cancels the timer, unless another setting has taken the place of this one.
  ///
  /// - Parameters:
  ///   - number: The number of the setting.
  ///   - use: Does something short with what the setting was for, before another setting can go off.
  /// - Returns: What that returns; `nil` if there is another setting.
  @inlinable
  package borrowing func goOff<Result>(_ number: UInt, _ use: (Payload) -> Result) -> Result? {
    let due = state.withLock { state -> (Payload, (any Cancellable)?, Result)? in
      guard state.number == number, let payload = state.payload.take() else { return nil }
      return (payload, state.timer.take(), use(payload))
    }
    due?.1?.cancel()
    return due?.2
  }

  /// Ends all settings, and cancels the timer.
  @inlinable
  package borrowing func stop() {
    var last = State()
    last.isOver = true
    state.withLock { swap(&$0, &last) }
    last.timer?.cancel()
  }
}

@available(*, unavailable)
extension Alarm: Sendable {}

@available(*, unavailable)
extension Alarm.State: Sendable {}
