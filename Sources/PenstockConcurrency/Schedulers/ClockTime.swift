// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A point in the time of a Swift clock, as a scheduler's time.
///
/// ```swift
/// let start = ClockTime<ContinuousClock>(ContinuousClock.now)
/// print(start.distance(to: start.advanced(by: .milliseconds(1500))))
/// // Prints "1.5 seconds".
/// ```
public struct ClockTime<C: Clock>: Strideable, Hashable, Sendable where C.Duration == Duration {
  /// The clock's own form of the point.
  public var instant: C.Instant

  /// Creates a point from the clock's own form.
  public init(_ instant: C.Instant) { self.instant = instant }

  /// Returns the time interval to another point; negative if that is earlier.
  public func distance(to other: Self) -> ClockStride { ClockStride(instant.duration(to: other.instant)) }

  /// Returns the point that is a time interval later, at most 292 years later or earlier.
  ///
  /// Clocks count with numbers of a limited size, and trap if a date is out of reach. With this limit, a pipeline may
  /// wait for `.seconds(.max)`, as on a queue.
  public func advanced(by n: ClockStride) -> Self { Self(instant.advanced(by: n.countable)) }

  /// Returns whether one point is earlier than another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.instant < rhs.instant }
}

/// A time interval of a Swift clock, as a scheduler's time interval.
///
/// Literals are seconds, and so are the factors of a multiplication, as for Combine's schedulers in virtual time.
/// Arithmetic saturates, at `Int.max` seconds and at their negative.
///
/// ```swift
/// print(ClockStride.milliseconds(250) + 0.25)
/// // Prints "0.5 seconds".
/// ```
public struct ClockStride: Hashable, Sendable, Codable {
  /// The clock's own form of the interval.
  public var duration: Duration

  /// Creates a time interval from a clock's own form.
  public init(_ duration: Duration) { self.duration = duration }
}

extension ClockStride {
  /// The longest time interval that arithmetic can result in.
  private static var longest: Duration { .seconds(Int64.max) }

  /// Creates the time interval that is nearest to a number of seconds.
  private init(nearest seconds: Double) {
    // The bound itself cannot be converted: it is the next number of seconds after the greatest that can.
    guard seconds.magnitude < 0x1p63 else {
      self.init(seconds.isNaN ? .zero : seconds < 0 ? .zero - Self.longest : Self.longest)
      return
    }
    self.init(.seconds(seconds))
  }

  private func clamped(to limit: Duration) -> Duration { min(max(duration, .zero - limit), limit) }

  /// The duration, limited to the range of arithmetic.
  private var bounded: Duration { clamped(to: Self.longest) }

  /// The duration, limited to what a clock can wait for.
  internal var countable: Duration { duration.countable }
}

extension ClockStride: SchedulerTimeIntervalConvertible {
  /// Creates a time interval of a number of seconds.
  public static func seconds(_ s: Int) -> Self { Self(.seconds(s)) }

  /// Creates a time interval of a number of seconds, or the longest one for a greater number; `.nan` counts as zero.
  public static func seconds(_ s: Double) -> Self { Self(nearest: s) }

  /// Creates a time interval of a number of milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(.milliseconds(ms)) }

  /// Creates a time interval of a number of microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(.microseconds(us)) }

  /// Creates a time interval of a number of nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { Self(.nanoseconds(ns)) }
}

extension ClockStride: Comparable, SignedNumeric, ExpressibleByFloatLiteral {
  /// Creates a time interval of a number of seconds.
  public init(integerLiteral value: Int) { self = .seconds(value) }

  /// Creates a time interval of a number of seconds.
  public init(floatLiteral value: Double) { self = .seconds(value) }

  /// Creates a time interval of a number of seconds, if that is a number of the clock's.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    self = .seconds(seconds)
  }

  /// The absolute value of the time interval.
  public var magnitude: Self { duration < .zero ? Self(.zero - bounded) : self }

  /// Returns whether one time interval is shorter than another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.duration < rhs.duration }

  /// Adds two time intervals.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(Self(lhs.bounded + rhs.bounded).bounded) }

  /// Subtracts the second time interval from the first.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(Self(lhs.bounded - rhs.bounded).bounded) }

  /// Multiplies two time intervals as numbers of seconds.
  public static func * (lhs: Self, rhs: Self) -> Self {
    let factor = rhs.duration / .seconds(1)
    let product = Self(nearest: lhs.duration / .seconds(1) * factor)
    return product.magnitude.duration < longest ? Self(lhs.duration * factor) : product
  }

  /// Multiplies this time interval by another, as numbers of seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

extension ClockStride: CustomStringConvertible {
  /// The time interval in seconds, such as `1.5 seconds`.
  public var description: String { duration.description }
}
