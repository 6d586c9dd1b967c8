// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import HeapModule
internal import PenstockCore

/// What a ``DeadlineKeeper`` extends.
@usableFromInline
internal protocol KeptWork: AnyObject, Sendable {
  /// Extends its deadlines.
  ///
  /// - Returns: Whether they are to be extended again.
  func extend() async -> Bool
}

/// Extends the deadlines of all that one subscriber works on, by one alarm.
///
/// Most work is over long before its first extension. A task that sleeps until then would stay in the runtime's list of timers
/// for as long, also if it is cancelled: with a deadline of ten minutes, millions of them. So one task sleeps until the first
/// date, whatever has ended meanwhile, and then until the first one that is left.
@usableFromInline
internal final class DeadlineKeeper: Sendable {
  private struct Timer: Comparable {
    let date: Duration
    let number: Int

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.date, lhs.number) < (rhs.date, rhs.number) }
  }

  private struct Kept {
    let work: any KeptWork
    let interval: Duration
  }

  private struct State {
    var kept: [Int: Kept] = [:]
    /// One for each, except for those that are being extended; those of work that is over stay for a while.
    var timers = Heap<Timer>()
    /// The last number that was given to anything.
    var number = 0
    var alarm: (date: Duration, number: Int, task: Task<Void, Never>?)?

    mutating func nextNumber() -> Int {
      number += 1
      return number
    }
  }

  /// An alarm to set, and the task of the one that it replaces.
  private typealias Change = (date: Duration, number: Int, replaced: Task<Void, Never>?)

  private let time: QueueTime
  private let state = Guarded(State())

  internal init(_ clock: any Clock<Duration>) { time = QueueTime(clock) }

  deinit { state.withLock { $0.alarm?.task }?.cancel() }

  internal var now: Duration { time.now() }

  /// Extends the deadlines of work whenever so much time has passed, from a date on, until it is forgotten.
  ///
  /// - Returns: The number by which it is forgotten.
  internal func keep(_ work: any KeptWork, every interval: Duration, from beginning: Duration) -> Int {
    let interval = interval.countable
    let date = beginning + interval
    let (number, change) = state.withLock { state in
      let number = state.nextNumber()
      state.kept[number] = Kept(work: work, interval: interval)
      return (number, Self.setTimer(date, number, &state))
    }
    if let change { start(change) }
    return number
  }

  internal func forget(_ number: Int) { state.release { $0.kept.removeValue(forKey: number) } }

  private static func setTimer(_ date: Duration, _ number: Int, _ state: inout State) -> Change? {
    state.timers.insert(Timer(date: date, number: number))
    if state.timers.count > 2 * state.kept.count + 16 {
      let kept = state.kept
      state.timers = Heap(state.timers.unordered.filter { kept[$0.number] != nil })
    }
    return findAlarm(&state)
  }

  private static func findAlarm(_ state: inout State) -> Change? {
    while let first = state.timers.min, state.kept[first.number] == nil { state.timers.removeMin() }
    // One that is early finds nothing to do. Each that is replaced would stay until its date.
    guard let date = state.timers.min?.date else { return nil }
    if let alarm = state.alarm, alarm.date <= date { return nil }
    let (number, replaced) = (state.nextNumber(), state.alarm?.task)
    state.alarm = (date, number, nil)
    return (date, number, replaced)
  }

  private func start(_ change: Change) {
    change.replaced?.cancel()
    // Detached: it works for all, and is not to hold what the first one brings along. Weak: it ends with the stream.
    let task = Task.detached { [weak self, time] in
      do { try await time.sleep(change.date) } catch { return }
      self?.ring(change.number)
    }
    let isCurrent = state.withLock { state in
      guard state.alarm?.number == change.number else { return false }
      state.alarm?.task = task
      return true
    }
    // It has rung meanwhile, or been replaced.
    if !isCurrent { task.cancel() }
  }

  /// Extends what is due, each in a task of its own, since one may have to wait for the broker; and sets the next alarm.
  private func ring(_ number: Int) {
    let now = now
    let (due, change) = state.withLock { state -> ([(Int, Kept)], Change?) in
      guard state.alarm?.number == number else { return ([], nil) }
      state.alarm = nil
      var due: [(Int, Kept)] = []
      while let timer = state.timers.min, timer.date <= now {
        state.timers.removeMin()
        if let kept = state.kept[timer.number] { due.append((timer.number, kept)) }
      }
      return (due, Self.findAlarm(&state))
    }
    if let change { start(change) }
    for (number, kept) in due {
      Task.detached { [weak self] in
        // Counted from here, and not from the answer, behind which the broker's own count may be.
        if await kept.work.extend() { self?.renew(number, now + kept.interval) } else { self?.forget(number) }
      }
    }
  }

  private func renew(_ number: Int, _ date: Duration) {
    let change = state.withLock { state in
      state.kept[number] == nil ? nil : Self.setTimer(date, number, &state)
    }
    if let change { start(change) }
  }
}
