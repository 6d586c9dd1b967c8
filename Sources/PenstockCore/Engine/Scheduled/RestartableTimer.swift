// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A timer that is set repeatedly; only the latest setting fires.
///
/// A setting is stored with the date at which it is due, and the scheduler knows of one *alarm* at a time. An alarm that
/// goes off while the setting is due later is followed by one for that date. So a setting is not a call of the
/// scheduler, except the first one, and one that is due before the alarm, because the clock has been set back.
///
/// A scheduler may run a block during the call that schedules it, or on another thread before that call has returned,
/// or early, or once more after it has been cancelled. So an alarm gets its number before it is scheduled, and one with
/// another number does nothing. No call is made and nothing is freed while the lock is held.
@usableFromInline
package struct RestartableTimer<Payload, Context: Scheduler>: ~Copyable {
  @usableFromInline internal typealias Time = Context.SchedulerTimeType

  /// An alarm that the scheduler has returned.
  ///
  /// Noncopyable: copying an existential goes through the tables of its type.
  @usableFromInline
  internal struct Alarm: ~Copyable {
    @usableFromInline internal let timer: any Cancellable

    @_alwaysEmitIntoClient
    internal init(_ timer: consuming any Cancellable) { self.timer = timer }

    @_alwaysEmitIntoClient
    internal consuming func cancel() { timer.cancel() }
  }

  @usableFromInline
  internal struct State: ~Copyable {
    /// The content of the latest setting, until it fires.
    @usableFromInline internal var payload: Payload?
    /// The date at which the latest setting is due.
    @usableFromInline internal var dueDate: Time?
    /// The date of the alarm; `nil` if there is none.
    @usableFromInline internal var alarmDate: Time?
    /// The time that the clock showed when the alarm was scheduled, if that is known.
    @usableFromInline internal var settingDate: Time?
    /// The alarm, or the previous one until the scheduler has returned this one.
    @usableFromInline internal var alarm: Alarm?
    /// The number of alarms so far; the maximum after ``cancel()``.
    @usableFromInline internal var number: UInt = 0

    @inlinable
    internal init() {}

    /// Decides on an alarm, which has to be scheduled.
    ///
    /// - Returns: Its number.
    @inlinable
    internal mutating func beginAlarm(_ date: Time) -> UInt {
      alarmDate = date
      settingDate = nil
      number += 1
      return number
    }
  }

  @usableFromInline package let scheduler: Context
  @usableFromInline internal let interval: Time.Stride
  /// Whether the interval is the time of each setting.
  @usableFromInline internal let isRegular: Bool
  @usableFromInline package let options: Context.SchedulerOptions?
  @usableFromInline internal let state = Guarded(State())

  /// - Parameters:
  ///   - interval: The time between a setting and its date.
  ///   - scheduler: The scheduler that waits.
  ///   - options: The scheduler options for each alarm.
  @inlinable
  package init(
    _ interval: Context.SchedulerTimeType.Stride, _ scheduler: Context, options: Context.SchedulerOptions?
  ) {
    self.init(interval, isRegular: true, scheduler, options: options)
  }

  /// Creates a timer that is set only to dates, or for times that are given with each setting.
  @inlinable
  package init(_ scheduler: Context, options: Context.SchedulerOptions?) {
    // Only a scheduler's repeated action can be cancelled. An alarm is cancelled once it has gone off, so it does not matter
    // when it would do so again.
    self.init(.seconds(1), isRegular: false, scheduler, options: options)
  }

  @inlinable
  internal init(
    _ interval: Context.SchedulerTimeType.Stride, isRegular: Bool, _ scheduler: Context,
    options: Context.SchedulerOptions?
  ) {
    self.interval = interval
    self.isRegular = isRegular
    self.scheduler = scheduler
    self.options = options
  }

  /// Shows when the timer is due, and its payload, as one value or as several.
  @inlinable
  package borrowing func show(in link: inout LinkState, _ count: Int = 1) {
    let (isKept, date) = state.withLock { ($0.payload != nil, $0.dueDate) }
    if isKept, let date { link.keep(count, until: date, on: scheduler) }
  }

  /// The content of the latest setting, until it fires.
  @_alwaysEmitIntoClient
  package var payload: Payload? { state.withLock { $0.payload } }

  /// Sets the timer: the new setting replaces the previous one.
  ///
  /// - Parameters:
  ///   - payload: The content of the setting.
  ///   - time: The time after which it is due; the interval, if none is given.
  ///   - block: Makes the block of the alarm with the given number, which calls ``fire(_:block:_:)``.
  /// - Returns: The content of the previous setting, if it has not fired; after ``cancel()``, that of this one.
  @inlinable @discardableResult
  package borrowing func set(
    _ payload: consuming Payload, for time: Context.SchedulerTimeType.Stride? = nil,
    block: (_ number: UInt) -> () -> Void
  ) -> Payload? {
    let now = scheduler.now
    return set(payload, at: now.advanced(by: time ?? interval), from: now, block: block)
  }

  /// Sets the timer to a date, which need not be the interval away.
  ///
  /// - Parameters:
  ///   - payload: The content of the setting.
  ///   - date: The date at which it is due.
  ///   - now: The time that the clock shows, if the caller knows it.
  ///   - block: The same as for ``set(_:block:)``.
  /// - Returns: The content of the previous setting, if it has not fired; after ``cancel()``, that of this one.
  @inlinable @discardableResult
  package borrowing func set(
    _ payload: consuming Payload, at date: Context.SchedulerTimeType, from now: Context.SchedulerTimeType? = nil,
    block: (_ number: UInt) -> () -> Void
  ) -> Payload? {
    // The previous content is released outside the lock.
    var payload: Payload? = payload
    // Not an optional: the lock would return it through the tables of its type.
    let number = state.withLock { state -> UInt in
      guard state.number != .max else { return 0 }
      swap(&state.payload, &payload)
      state.dueDate = date
      if let alarmDate = state.alarmDate, alarmDate <= date { return 0 }
      return state.beginAlarm(date)
    }
    if number != 0 { schedule(number, date, from: now, block) }
    return payload
  }

  /// Fires the setting if it is due at the date of an alarm, and sets the next alarm if it is due later.
  ///
  /// The clock is not read to find out, since it may stand still, and the scheduler may be early.
  ///
  /// - Parameters:
  ///   - number: The number of the alarm.
  ///   - block: The same as for the setting.
  ///   - action: A short action, called under the lock, so that no other setting fires before it returns.
  /// - Returns: The action's result; `false` if nothing has been fired.
  @inlinable
  package borrowing func fire(
    _ number: UInt, block: (_ number: UInt) -> () -> Void, _ action: (Payload) -> Bool
  ) -> Bool {
    var payload: Payload?
    var alarm: Alarm?
    var later: (number: UInt, date: Time, last: Time, settingDate: Time?)?
    let result = state.withLock { state -> Bool in
      guard state.number == number, let alarmDate = state.alarmDate else { return false }
      if let dueDate = state.dueDate, dueDate > alarmDate {
        let settingDate = state.settingDate
        later = (state.beginAlarm(dueDate), dueDate, alarmDate, settingDate)
        return false
      }
      state.alarmDate = nil
      swap(&state.alarm, &alarm)
      swap(&state.payload, &payload)
      return payload.map(action) ?? false
    }
    if let later {
      let now = scheduler.now
      let isSetBack = later.settingDate.map { now < $0 } ?? (isRegular && now.advanced(by: interval) < later.last)
      // If the clock has been set back since the first alarm was scheduled, the next one is later by the intended time.
      let date = isSetBack ? now.advanced(by: later.last.distance(to: later.date)) : later.date
      schedule(later.number, date, from: now, block)
    }
    if let alarm { alarm.cancel() }
    return result
  }

  /// Ends all settings, and cancels the alarm.
  ///
  /// - Returns: The content of the setting that would have fired, if there is one.
  @_alwaysEmitIntoClient @discardableResult
  package borrowing func cancel() -> Payload? { end(forGood: true) }

  /// Ends the latest setting, and leaves the alarm for the next one: for a timer that is set again and again, and seldom
  /// fires.
  ///
  /// An alarm that goes off before the next setting does nothing.
  @inlinable
  package borrowing func pause() {
    // Released outside the lock.
    var payload: Payload?
    state.withLock { state in
      swap(&state.payload, &payload)
      state.dueDate = nil
    }
  }

  /// Ends the latest setting, and cancels the alarm; the timer may be set again.
  ///
  /// - Returns: The content of the setting that would have fired, if there is one.
  @_alwaysEmitIntoClient @discardableResult
  package borrowing func stop() -> Payload? { end(forGood: false) }

  @inlinable
  internal borrowing func end(forGood: Bool) -> Payload? {
    var payload: Payload?
    var alarm: Alarm?
    state.withLock { state in
      // An alarm that the scheduler has not returned yet is superfluous then.
      if forGood { state.number = .max } else if state.number != .max { state.number += 1 }
      state.alarmDate = nil
      swap(&state.payload, &payload)
      swap(&state.alarm, &alarm)
    }
    if let alarm { alarm.cancel() }
    return payload
  }

  /// Schedules an alarm, and cancels the one before it.
  ///
  /// The action repeats, because only a repeated action can be cancelled.
  @inlinable
  internal borrowing func schedule(
    _ number: UInt, _ date: Time, from now: Time?, _ block: (_ number: UInt) -> () -> Void
  ) {
    var superfluous: Alarm? = Alarm(
      scheduler.schedule(
        after: date, interval: interval, tolerance: scheduler.minimumTolerance, options: options, block(number)))
    state.withLock { state in
      // If the alarm has gone off already, or another one has followed, it is superfluous itself.
      guard state.number == number, state.alarmDate != nil else { return }
      swap(&state.alarm, &superfluous)
      state.settingDate = now
    }
    if let superfluous { superfluous.cancel() }
  }
}
