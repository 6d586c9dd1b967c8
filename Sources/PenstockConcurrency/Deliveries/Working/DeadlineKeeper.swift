// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import HeapModule
internal import PenstockCore

/// Work whose deadlines a ``DeadlineKeeper`` extends.
@usableFromInline
internal protocol KeptWork: AnyObject, Sendable {
  /// Extends its deadlines.
  ///
  /// - Returns: Whether they are to be extended again.
  func extend() async -> Bool
}

/// Extends the deadlines of all work of one subscriber, with one alarm.
///
/// Most work ends long before its first extension. A separate task for each, which sleeps until then, would stay in the
/// runtime's list of timers for that long: with a deadline of ten minutes, millions of them.
@usableFromInline
internal final class DeadlineKeeper: AlarmOwner {
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
    /// One timer for each piece of work, except for those that are being extended; timers of work that has ended stay
    /// for a while.
    var timers = Heap<Timer>()
    /// The last number that was given to work.
    var number = 0

    mutating func setTimer(_ date: Duration, _ number: Int) {
      timers.insert(Timer(date: date, number: number))
      guard timers.count > 2 * kept.count + 16 else { return }
      let kept = kept
      timers = Heap(timers.unordered.filter { kept[$0.number] != nil })
    }

    /// Returns the date of the first timer whose work has not ended.
    mutating func firstDate() -> Duration? {
      while let first = timers.min, kept[first.number] == nil { timers.removeMin() }
      return timers.min?.date
    }
  }

  private let time: QueueTime
  private let alarm: Alarm
  private let state = Guarded(State())

  internal init(_ clock: any Clock<Duration>) {
    time = QueueTime(clock)
    alarm = Alarm(time)
  }

  internal var now: Duration { time.now() }

  /// Extends the deadlines of work at an interval, from a date on, until the work is forgotten.
  ///
  /// - Returns: The number with which to forget it.
  internal func keep(_ work: any KeptWork, every interval: Duration, from beginning: Duration) -> Int {
    let interval = interval.countable
    let (number, date) = state.withLock { state in
      state.number += 1
      state.kept[state.number] = Kept(work: work, interval: interval)
      state.setTimer(beginning + interval, state.number)
      return (state.number, state.firstDate())
    }
    if let date { alarm.set(date, for: self) }
    return number
  }

  internal func forget(_ number: Int) { state.release { $0.kept.removeValue(forKey: number) } }

  /// Extends the work that is due, each in a task of its own, since an extension may have to wait for the broker.
  internal func ring() {
    let now = now
    let (due, date) = state.withLock { state -> ([(Int, Kept)], Duration?) in
      var due: [(Int, Kept)] = []
      while let timer = state.timers.min, timer.date <= now {
        state.timers.removeMin()
        if let kept = state.kept[timer.number] { due.append((timer.number, kept)) }
      }
      return (due, state.firstDate())
    }
    if let date { alarm.set(date, for: self) }
    for (number, kept) in due {
      Task.detached { [weak self] in
        // Counted from here, and not from the answer, since the broker may have started to count before its answer.
        if await kept.work.extend() { self?.renew(number, now + kept.interval) } else { self?.forget(number) }
      }
    }
  }

  private func renew(_ number: Int, _ date: Duration) {
    let first = state.withLock { state -> Duration? in
      if state.kept[number] == nil { return nil }
      state.setTimer(date, number)
      return state.firstDate()
    }
    if let first { alarm.set(first, for: self) }
  }
}
