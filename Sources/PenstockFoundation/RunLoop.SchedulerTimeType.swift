// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

extension RunLoop {
  /// A point in time, as run loops count it: a date.
  ///
  /// ```swift
  /// let start = RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 10))
  /// let later = start.advanced(by: .milliseconds(1_500))
  /// print(later.date.timeIntervalSinceReferenceDate, later.distance(to: start).magnitude)
  /// // Prints "11.5 -1.5"
  /// ```
  ///
  /// **Concurrency:** a value; may be used on any thread.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The date.
    public var date: Date

    /// Makes a point in time from a date.
    public init(_ date: Date) {
      self.date = date
    }

    /// Measures the time to another point, which is negative if that is the earlier one.
    public func distance(to other: SchedulerTimeType) -> Stride {
      Stride(date.distanceOrZero(to: other.date))
    }

    /// Finds the point in time that is a given time away.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(date.addingTimeInterval(n.magnitude))
    }

    /// Whether two times are the same.
    public static func == (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool { lhs.date == rhs.date }

    /// Whether one time is before another.
    public static func < (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool { lhs.date < rhs.date }
  }
}

extension RunLoop.SchedulerTimeType {
  /// A length of time, in seconds and parts of a second.
  ///
  /// Literals are seconds.
  ///
  /// ```swift
  /// let stride: RunLoop.SchedulerTimeType.Stride = .milliseconds(1_500)
  /// print((stride * 2).timeInterval)
  /// // Prints "3.0"
  /// ```
  ///
  /// **Concurrency:** a value; may be used on any thread.
  public struct Stride: Hashable, Codable, Sendable {
    /// What a literal with a point is read as.
    public typealias FloatLiteralType = TimeInterval

    /// What a literal without a point is read as.
    public typealias IntegerLiteralType = TimeInterval

    /// The number of seconds, which may be negative.
    public var magnitude: TimeInterval

    /// Makes a length of time from a number of seconds.
    public init(_ timeInterval: TimeInterval) {
      magnitude = timeInterval
    }

    /// The number of seconds.
    public var timeInterval: TimeInterval { magnitude }
  }
}

extension RunLoop.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
  /// Makes a length of time from a number of seconds.
  public init(integerLiteral value: TimeInterval) {
    self.init(value)
  }

  /// Makes a length of time from a number of seconds.
  public init(floatLiteral value: TimeInterval) {
    self.init(value)
  }

  /// Makes a length of time from a number of seconds, if a `TimeInterval` can be exactly that.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = TimeInterval(exactly: source) else { return nil }
    self.init(seconds)
  }
}

extension RunLoop.SchedulerTimeType.Stride: Comparable, SignedNumeric {
  /// Whether one length of time is smaller than another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

  /// Adds two lengths of time.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

  /// Subtracts a length of time from another.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

  /// Multiplies two lengths of time, both counted in seconds.
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

  /// Adds a length of time to this one.
  public static func += (lhs: inout Self, rhs: Self) { lhs.magnitude += rhs.magnitude }

  /// Subtracts a length of time from this one.
  public static func -= (lhs: inout Self, rhs: Self) { lhs.magnitude -= rhs.magnitude }

  /// Multiplies this length of time by another, both counted in seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs.magnitude *= rhs.magnitude }
}

extension RunLoop.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// Makes a length of so many seconds.
  public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }

  /// Makes a length of so many seconds, parts of a second included.
  public static func seconds(_ s: Double) -> Self { Self(s) }

  /// Makes a length of so many milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1_000) }

  /// Makes a length of so many microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1_000_000) }

  /// Makes a length of so many nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1_000_000_000) }
}
