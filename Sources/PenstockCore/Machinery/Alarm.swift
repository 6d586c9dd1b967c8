// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A timer that is set again and again, of which only the last setting counts.
///
/// Schedulers may run a block inside of the very call that schedules it, or on another thread before that has returned,
/// so a setting has a number before it has a timer. Nothing is called, or freed, with the lock held.
@usableFromInline
package struct Alarm<Payload>: ~Copyable {
  /// A setting whose timer is there.
  ///
  /// Cannot be copied: a copy of a timer whose type is not known goes through tables of its type.
  @usableFromInline
  internal struct Setting: ~Copyable {
    @usableFromInline internal let timer: any Cancellable
    /// What the timer is for.
    @usableFromInline internal let payload: Payload

    @inlinable
    internal init(timer: consuming any Cancellable, payload: consuming Payload) {
      self.timer = timer
      self.payload = payload
    }

    @inlinable
    internal consuming func cancel() { timer.cancel() }
  }

  @usableFromInline
  internal struct State: ~Copyable {
    @usableFromInline internal var setting: Setting?
    /// The number of the last setting that has gone off; the highest of all after the end.
    @usableFromInline internal var past: UInt = 0

    @inlinable
    internal init() {}
  }

  /// The number of the last setting that has begun.
  ///
  /// Beside the lock, so that a setting takes it once.
  @usableFromInline internal let last = Atomic<UInt>(0)
  @usableFromInline internal let state = Guarded(State())

  @inlinable
  package init() {}

  /// What the last timer is for, until it goes off.
  @inlinable
  package var payload: Payload? {
    state.withLock { state in
      switch state.setting {
      case .some(let setting): setting.payload
      case nil: nil
      }
    }
  }

  /// Begins a setting, which takes the place of the one before as soon as it has a timer.
  ///
  /// - Returns: Its number.
  @inlinable
  package borrowing func begin() -> UInt {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Keeps the timer of a setting and cancels the one before, or cancels the timer if it has come too late.
  @inlinable
  package borrowing func keep(_ timer: consuming any Cancellable, for payload: consuming Payload, _ number: UInt) {
    var superfluous: Setting? = Setting(timer: timer, payload: payload)
    state.withLock { state in
      if isLast(number, state) { swap(&state.setting, &superfluous) }
    }
    if let superfluous { superfluous.cancel() }
  }

  /// Goes off, and cancels the timer, unless another setting has taken the place of this one.
  ///
  /// - Parameters:
  ///   - number: The number of the setting.
  ///   - action: Does something short, before another setting can go off.
  /// - Returns: What that returns; `nil` if there is another setting, or none any more.
  @inlinable
  package borrowing func goOff<Result>(_ number: UInt, _ action: () -> Result) -> Result? {
    var setting: Setting?
    let result = state.withLock { state -> Result? in
      guard isLast(number, state) else { return nil }
      state.past = number
      swap(&state.setting, &setting)
      return action()
    }
    if let setting { setting.cancel() }
    return result
  }

  /// Ends all settings, and cancels the timer.
  @inlinable
  package borrowing func stop() {
    var setting: Setting?
    state.withLock { state in
      state.past = .max
      swap(&state.setting, &setting)
    }
    if let setting { setting.cancel() }
  }

  /// Whether a setting counts: it has not gone off, and no other has begun.
  @inlinable
  internal borrowing func isLast(_ number: UInt, _ state: borrowing State) -> Bool {
    state.past < number && last.load(ordering: .relaxed) == number
  }
}
