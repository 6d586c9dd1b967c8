// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

extension OperationQueue {
  /// A point in the time of operation queues: a date.
  ///
  /// ```swift
  /// let start = OperationQueue.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 10))
  /// let later = start.advanced(by: .milliseconds(1_500))
  /// print(later.date.timeIntervalSinceReferenceDate, later.distance(to: start).magnitude)
  /// // Prints "11.5 -1.5"
  /// ```
  ///
  /// **Concurrency:** a value; may be used on any thread.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The date.
    public var date: Date

    /// Creates a point in time from a date.
    public init(_ date: Date) {
      self.date = date
    }

    /// Returns the time interval to another point in time, which is negative if that is earlier.
    public func distance(to other: SchedulerTimeType) -> Stride {
      Stride(date.distanceOrZero(to: other.date))
    }

    /// Returns the point in time that is a given time interval away.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(date.addingTimeInterval(n.magnitude))
    }

    /// Returns whether two points in time are the same.
    public static func == (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool { lhs.date == rhs.date }

    /// Returns whether one point in time is before another.
    public static func < (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool { lhs.date < rhs.date }
  }
}

extension OperationQueue.SchedulerTimeType {
  /// A time interval in seconds and fractions of a second.
  ///
  /// Literals are seconds.
  ///
  /// ```swift
  /// let stride: OperationQueue.SchedulerTimeType.Stride = .milliseconds(1_500)
  /// print((stride * 2).timeInterval)
  /// // Prints "3.0"
  /// ```
  ///
  /// **Concurrency:** a value; may be used on any thread.
  public struct Stride: Hashable, Codable, Sendable {
    /// The type of a floating-point literal.
    public typealias FloatLiteralType = TimeInterval

    /// The type of an integer literal.
    public typealias IntegerLiteralType = TimeInterval

    /// The number of seconds, which may be negative.
    public var magnitude: TimeInterval

    /// Creates a time interval of a number of seconds.
    public init(_ timeInterval: TimeInterval) {
      magnitude = timeInterval
    }

    /// The number of seconds.
    public var timeInterval: TimeInterval { magnitude }
  }
}

extension OperationQueue.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
  /// Creates a time interval of a number of seconds.
  public init(integerLiteral value: TimeInterval) {
    self.init(value)
  }

  /// Creates a time interval of a number of seconds.
  public init(floatLiteral value: TimeInterval) {
    self.init(value)
  }

  /// Creates a time interval of a number of seconds, if a `TimeInterval` can represent it exactly.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = TimeInterval(exactly: source) else { return nil }
    self.init(seconds)
  }
}

extension OperationQueue.SchedulerTimeType.Stride: Comparable, SignedNumeric {
  /// Returns whether the first time interval is smaller than the second.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

  /// Adds two time intervals.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

  /// Subtracts the second time interval from the first.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

  /// Multiplies two time intervals, both in seconds.
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

  /// Adds a time interval to this one.
  public static func += (lhs: inout Self, rhs: Self) { lhs.magnitude += rhs.magnitude }

  /// Subtracts a time interval from this one.
  public static func -= (lhs: inout Self, rhs: Self) { lhs.magnitude -= rhs.magnitude }

  /// Multiplies this time interval by another, both in seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs.magnitude *= rhs.magnitude }
}

extension OperationQueue.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// Creates a time interval of a number of seconds.
  public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }

  /// Creates a time interval of a number of seconds and fractions of a second.
  public static func seconds(_ s: Double) -> Self { Self(s) }

  /// Creates a time interval of a number of milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1_000) }

  /// Creates a time interval of a number of microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1_000_000) }

  /// Creates a time interval of a number of nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1_000_000_000) }
}
