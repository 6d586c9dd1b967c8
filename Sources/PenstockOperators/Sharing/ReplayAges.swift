// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
internal import PenstockCore

/// Knows which values of a ``ReplayLog`` are too old to be replayed.
///
/// The values' dates are stored beside the log, under a lock of their own: a thread that joins asks before it takes the
/// lock of the log. Values that are added to the log after that are younger than the answer.
@usableFromInline
internal final class ReplayAges {
  /// Stores the date of a value, if it gets the value's number, and returns the number of the first value that is young
  /// enough.
  ///
  /// Made where the scheduler's type is concrete.
  private let advance: (_ added: UInt?) -> UInt

  /// - Parameters:
  ///   - maximum: The age up to which a value is replayed.
  ///   - capacity: The maximum number of values that are replayed.
  ///   - scheduler: The scheduler whose time counts.
  internal init<Context: Scheduler>(
    _ maximum: Context.SchedulerTimeType.Stride, capacity: Int, scheduler: Context
  ) {
    let dates = Guarded(Dates<Context.SchedulerTimeType>())
    advance = { added in
      // Read outside the lock: the scheduler may be the user's.
      let now = scheduler.now
      return dates.withLock { $0.advance(added, now, maximum, capacity) }
    }
  }

  /// Stores the date of a value.
  ///
  /// - Returns: The number of the first value that is young enough.
  @usableFromInline
  internal func add(_ number: UInt) -> UInt { advance(number) }

  /// The number of the first value that is young enough; if none is, that of the next value.
  @usableFromInline
  internal func first() -> UInt { advance(nil) }
}

/// The dates of the youngest values, in order.
private struct Dates<Date: Strideable> where Date.Stride: Comparable & SignedNumeric {
  private var dates: Deque<Date> = []
  /// The number of the next value.
  private var end: UInt = 0

  fileprivate mutating func advance(_ added: UInt?, _ now: Date, _ maximum: Date.Stride, _ capacity: Int) -> UInt {
    // The clock has been set back: the kept values count as if they had arrived just now.
    if let last = dates.last, last > now { dates = Deque(dates.map { Swift.min($0, now) }) }
    if let added {
      dates.append(now)
      end = added + 1
    }
    while let first = dates.first, dates.count > capacity || first.distance(to: now) > maximum { dates.removeFirst() }
    return end - UInt(dates.count)
  }
}
