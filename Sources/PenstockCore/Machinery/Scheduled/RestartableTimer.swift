// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A timer that is set repeatedly; only the latest setting fires.
///
/// A scheduler may run a block during the call that schedules it, or on another thread before that call has returned.
/// So a setting gets its number before it gets its timer. No call is made and nothing is freed while the lock is held.
@usableFromInline
package struct RestartableTimer<Payload>: ~Copyable {
  /// A setting with its timer.
  ///
  /// Noncopyable: copying an existential goes through the tables of its type.
  @usableFromInline
  internal struct Setting: ~Copyable {
    @usableFromInline internal let timer: any Cancellable
    /// The content of the setting.
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
    /// The number of the latest setting that has fired; the maximum after ``cancel()``.
    @usableFromInline internal var past: UInt = 0

    @inlinable
    internal init() {}
  }

  /// The number of the latest setting.
  ///
  /// Outside the lock, so that a setting takes the lock only once.
  @usableFromInline internal let last = AtomicCell<UInt>(0)
  @usableFromInline internal let state = Guarded(State())

  @inlinable
  package init() {}

  /// The content of the latest setting, until it fires.
  @inlinable
  package var payload: Payload? {
    state.withLock { state in
      switch state.setting {
      case .some(let setting): setting.payload
      case nil: nil
      }
    }
  }

  /// Sets the timer: the new setting replaces the previous one, and cancels its timer.
  ///
  /// - Parameters:
  ///   - payload: The content of the setting.
  ///   - start: Starts a timer that fires the setting with the given number.
  @inlinable
  package borrowing func set(_ payload: consuming Payload, start: (_ number: UInt) -> any Cancellable) {
    let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    var superfluous: Setting? = Setting(timer: start(number), payload: payload)
    state.withLock { state in
      if isLast(number, state) { swap(&state.setting, &superfluous) }
    }
    if let superfluous { superfluous.cancel() }
  }

  /// Fires a setting and cancels its timer, unless a newer setting has begun.
  ///
  /// - Parameters:
  ///   - number: The number of the setting.
  ///   - action: A short action, called under the lock, so that no other setting fires before it returns.
  /// - Returns: The action's result; `nil` if the setting is outdated.
  @inlinable
  package borrowing func fire<Result>(_ number: UInt, _ action: () -> Result) -> Result? {
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
  package borrowing func cancel() {
    var setting: Setting?
    state.withLock { state in
      state.past = .max
      swap(&state.setting, &setting)
    }
    if let setting { setting.cancel() }
  }

  /// Whether a setting is current: it has not fired, and no other has begun.
  @inlinable
  internal borrowing func isLast(_ number: UInt, _ state: borrowing State) -> Bool {
    state.past < number && last.load(ordering: .relaxed) == number
  }
}

extension Scheduler {
  /// Starts a timer that fires after an interval.
  ///
  /// It repeats, because only repeating timers can be cancelled.
  @inlinable
  package func startTimer(
    _ interval: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(
      after: now.advanced(by: interval), interval: interval, tolerance: minimumTolerance, options: options, action)
  }
}
