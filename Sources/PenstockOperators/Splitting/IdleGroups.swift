// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// An open group, in the order of the groups' last values.
@usableFromInline
internal final class GroupEntry<Key, Value, Context: Scheduler> {
  @usableFromInline internal let part: SplitPart<Key, Value, any Error>
  /// Its position in the order in which the groups began.
  @usableFromInline internal let number: UInt
  @exclusivity(unchecked) @usableFromInline internal var lastUse: Context.SchedulerTimeType?
  // Not retained: the table of groups keeps all of them, and freeing a chain of references would recurse.
  @usableFromInline internal unowned(unsafe) var older: GroupEntry?
  @usableFromInline internal unowned(unsafe) var newer: GroupEntry?

  @inlinable
  internal init(_ part: SplitPart<Key, Value, any Error>, number: UInt) {
    self.part = part
    self.number = number
  }
}

/// The open groups by the time of their last value, and the alarm at which the first of them ends.
///
/// There is one alarm for all groups. A value moves its group to the end of the list, and does not touch the alarm: if
/// the alarm goes off too early for the group that is first by then, another alarm follows. So a value costs the same,
/// however many groups there are.
@usableFromInline
internal final class IdleGroups<Key: Hashable, Value, Context: Scheduler> {
  @usableFromInline internal typealias Entry = GroupEntry<Key, Value, Context>
  @usableFromInline internal typealias Time = Context.SchedulerTimeType

  @usableFromInline internal let interval: Time.Stride
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?

  @usableFromInline internal unowned(unsafe) var oldest: Entry?
  @usableFromInline internal unowned(unsafe) var newest: Entry?
  @usableFromInline internal var alarm: (any Cancellable)?
  /// The date of the alarm; `nil` if there is none.
  @usableFromInline internal var date: Time?
  /// The time at which the alarm was set.
  @usableFromInline internal var settingDate: Time?
  /// The number of alarms so far.
  @usableFromInline internal var number: UInt = 0

  @inlinable
  internal init(after interval: Time.Stride, scheduler: Context, options: Context.SchedulerOptions?) {
    self.interval = interval
    self.scheduler = scheduler
    self.options = options
  }

  /// Notes that a group has a value.
  @inlinable
  internal func touch<F: Error>(
    _ entry: Entry, for rule: GroupRule<Key, Value, F, Context>,
    in core: SplitSubscriber<GroupRule<Key, Value, F, Context>>
  ) {
    if entry.lastUse != nil { remove(entry) }
    let now = scheduler.now
    entry.lastUse = now
    entry.older = newest
    if let newest { newest.newer = entry } else { oldest = entry }
    newest = entry
    if date == nil { setAlarm(now.advanced(by: interval), at: now, for: rule, in: core) }
  }

  @inlinable
  internal func remove(_ entry: Entry) {
    if entry.lastUse == nil { return }
    if let older = entry.older { older.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { newer.older = entry.older } else { newest = entry.older }
    entry.older = nil
    entry.newer = nil
    entry.lastUse = nil
  }

  @inlinable
  internal func removeAll() {
    oldest = nil
    newest = nil
    cancelAlarm()
  }

  @inlinable
  internal func cancelAlarm() {
    number &+= 1
    date = nil
    let superfluous = exchange(&alarm, with: nil)
    superfluous?.cancel()
  }

  /// It repeats, because only repeated actions can be cancelled.
  @inlinable
  internal func setAlarm<F: Error>(
    _ date: Time, at now: Time, for rule: GroupRule<Key, Value, F, Context>,
    in core: SplitSubscriber<GroupRule<Key, Value, F, Context>>
  ) {
    number &+= 1
    self.date = date
    settingDate = now
    let current = number
    let timer = scheduler.schedule(
      after: date, interval: interval, tolerance: scheduler.minimumTolerance, options: options
    ) {
      core.submit { self.fire(current, for: rule, in: core) }
    }
    // It may have gone off during the call.
    if number == current { alarm = timer } else { timer.cancel() }
  }

  /// Ends the groups that have had no value since the time before the alarm.
  ///
  /// The clock is read only to find out whether it has been set back since the alarm was set: it may stand still, and
  /// the scheduler may be early.
  @inlinable
  internal func fire<F: Error>(
    _ current: UInt, for rule: GroupRule<Key, Value, F, Context>,
    in core: SplitSubscriber<GroupRule<Key, Value, F, Context>>
  ) {
    guard number == current, var due = date else { return }
    let now = scheduler.now
    if let settingDate, now < settingDate {
      beginAnew(at: now)
      due = now
    }
    cancelAlarm()
    // A group that begins when another one ends sets no alarm, since its alarm would be later than that of the oldest
    // group.
    date = due
    while let entry = oldest, let lastUse = entry.lastUse, lastUse.advanced(by: interval) <= due {
      remove(entry)
      rule.retire(entry, in: core)
    }
    date = nil
    if let lastUse = oldest?.lastUse { setAlarm(lastUse.advanced(by: interval), at: now, for: rule, in: core) }
    core.ask()
  }

  /// Restarts the times that lie ahead of a clock that has been set back.
  @inlinable
  internal func beginAnew(at now: Time) {
    var entry = oldest
    while let current = entry, let lastUse = current.lastUse, lastUse > now {
      current.lastUse = now
      entry = current.newer
    }
  }
}
