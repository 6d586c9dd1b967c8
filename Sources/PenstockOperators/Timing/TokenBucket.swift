// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A bucket of tokens that fills at a steady rate, up to a ceiling.
///
/// Scheduler times can be advanced and compared, but not divided: so the bucket counts the tokens that have been taken
/// since it was last full, and compares the dates at which each of them has flowed back.
@usableFromInline
internal struct TokenBucket<Time: Strideable> where Time.Stride: SchedulerTimeIntervalConvertible {
  /// How many tokens flow in an interval.
  @usableFromInline internal let count: Int
  /// The interval, in nanoseconds.
  @usableFromInline internal let interval: Int
  @usableFromInline internal let ceiling: Int

  /// A date at which the bucket would be full without the tokens that are counted below.
  @usableFromInline internal var fullDate: Time
  /// What the clock showed when it was last read.
  @usableFromInline internal var latest: Time
  /// How many tokens have been taken since then.
  @usableFromInline internal var taken = 0
  /// How many of them had flowed back when the clock was last read.
  @usableFromInline internal var refilled = 0
  /// If the token that filled the bucket was waited for: how late it was noticed, up to the time of one token.
  @usableFromInline internal var lateness: Time.Stride?

  @inlinable
  internal init(count: Int, interval: Int, ceiling: Int, full fullDate: Time) {
    self.count = count
    self.interval = interval
    self.ceiling = ceiling
    self.fullDate = fullDate
    latest = fullDate
  }

  /// How many tokens there are; negative while there is a debt.
  @inlinable
  internal var tokens: Int { ceiling - (taken - refilled) }

  @inlinable
  internal var isFull: Bool { taken == refilled }

  /// The time in which a token flows.
  @inlinable
  internal var timeOfToken: Time.Stride { .nanoseconds(interval / count) }

  /// Takes tokens, perhaps more than there are.
  ///
  /// A timer's lateness is made up for: the next token flows as if these tokens had been taken on time.
  @inlinable
  internal mutating func take(_ cost: Int) {
    if cost > 0, isFull, let late = exchange(&lateness, with: nil) { fullDate = fullDate.advanced(by: 0 - late) }
    // A debt that no run of a program pays back.
    taken = taken.addingReportingOverflow(cost).overflow ? .max : taken + cost
  }

  /// Returns the date at which a number of the taken tokens have flowed back.
  @inlinable
  internal func date(ofRefill number: Int) -> Time {
    let (high, low) = UInt(bitPattern: max(0, number)).multipliedFullWidth(by: UInt(bitPattern: interval))
    // Not beyond the range of dates.
    var nanoseconds = UInt(1) << 60
    if high < UInt(bitPattern: count) {
      let (quotient, rest) = UInt(bitPattern: count).dividingFullWidth((high, low))
      nanoseconds = min(nanoseconds, rest > 0 ? quotient + 1 : quotient)
    }
    return fullDate.advanced(by: .nanoseconds(Int(bitPattern: nanoseconds)))
  }

  /// Returns the date at which the bucket has a number of tokens, which is not beyond the ceiling.
  @inlinable
  internal func date(of number: Int) -> Time { date(ofRefill: taken - ceiling + number) }

  /// Adds the tokens that have flowed by now.
  ///
  /// If the clock has been set back to before the missing tokens began to flow, they start to flow again from now.
  ///
  /// - Parameters:
  ///   - clock: What the clock shows.
  ///   - alarm: The date of a timer that has fired: a scheduler may be early, and its clock may stand still.
  ///   - isAwaited: Whether a token was being waited for, so that time during which the bucket was full does not count
  ///     as idle.
  /// - Returns: The present.
  @inlinable @discardableResult
  internal mutating func refill(at clock: Time, knowing alarm: Time? = nil, isAwaited: Bool) -> Time {
    let isSetBack = clock < latest && clock < fullDate
    latest = clock
    if isSetBack {
      taken -= refilled
      refilled = 0
      fullDate = clock
      lateness = nil
    }
    let now = isSetBack ? clock : alarm.map { max($0, clock) } ?? clock
    refill(until: now, isAwaited: isAwaited)
    return now
  }

  @inlinable
  internal mutating func refill(until now: Time, isAwaited: Bool) {
    if isFull {
      // The silence since then has made up for it.
      if lateness != nil, fullDate.advanced(by: timeOfToken) < now { lateness = nil }
      return fill(now)
    }
    // A single token is found at once, and many tokens by bisection.
    var (low, step) = (refilled, 1)
    while low < taken, date(ofRefill: low + step) <= now {
      low += step
      step = min(step > .max / 2 ? .max : step * 2, taken - low)
    }
    var beyond = min(taken, low + max(step, 1))
    while low + 1 < beyond {
      let middle = low + (beyond - low) / 2
      if date(ofRefill: middle) <= now { low = middle } else { beyond = middle }
    }
    refilled = low
    if isFull {
      lateness = isAwaited ? min(date(ofRefill: taken).distance(to: now), timeOfToken) : nil
      return fill(now)
    }
    // The counts stay small, and dates are made from what is exact: whole intervals.
    let intervals = refilled / count
    if intervals > 0, case let (span, isFar) = intervals.multipliedReportingOverflow(by: interval), !isFar {
      fullDate = fullDate.advanced(by: .nanoseconds(span))
      taken -= intervals * count
      refilled -= intervals * count
    }
  }

  @inlinable
  internal mutating func fill(_ now: Time) {
    taken = 0
    refilled = 0
    fullDate = now
  }
}
