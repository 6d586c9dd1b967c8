// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import PenstockCore

extension DispatchQueue.SchedulerTimeType {
  /// A time interval in whole nanoseconds.
  ///
  /// Literals are seconds, and ``*(_:_:)`` counts in seconds: one second is the number one.
  ///
  /// ```swift
  /// let stride: DispatchQueue.SchedulerTimeType.Stride = .milliseconds(1_500)
  /// print((stride * 2).magnitude, (stride - 2).magnitude)
  /// // Prints "3000000000 -500000000"
  /// ```
  ///
  /// No operation traps: results beyond the bounds of `Int` become the bound. `Int.max` nanoseconds mean *never*.
  ///
  /// **Concurrency:** a value; may be used on any thread.
  public struct Stride: Hashable, Sendable {
    @usableFromInline internal var _nanoseconds: Int

    /// The number of nanoseconds, which may be negative.
    @inlinable
    public var magnitude: Int {
      get { _nanoseconds }
      set { _nanoseconds = newValue }
    }

    @inlinable
    internal init(nanoseconds: Int) {
      _nanoseconds = nanoseconds
    }

    /// Creates a time interval from a dispatch time interval; `.never` is `Int.max` nanoseconds.
    public init(_ timeInterval: DispatchTimeInterval) {
      self =
        switch timeInterval {
        case .seconds(let s): .seconds(s)
        case .milliseconds(let ms): .milliseconds(ms)
        case .microseconds(let us): .microseconds(us)
        case .nanoseconds(let ns): .nanoseconds(ns)
        case .never: .nanoseconds(.max)
        @unknown default: .nanoseconds(.max)
        }
    }

    /// The dispatch time interval, always in nanoseconds.
    @inlinable
    public var timeInterval: DispatchTimeInterval { .nanoseconds(_nanoseconds) }
  }
}

extension DispatchQueue.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
  /// Creates a time interval of a number of seconds.
  @inlinable
  public init(integerLiteral value: Int) {
    self = .seconds(value)
  }

  /// Creates a time interval of a number of seconds, without fractions of a nanosecond.
  @inlinable
  public init(floatLiteral value: Double) {
    self = .seconds(value)
  }

  /// Creates a time interval of a number of seconds, if its nanoseconds fit into an `Int`.
  @inlinable
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}

extension DispatchQueue.SchedulerTimeType.Stride: Comparable, SignedNumeric {
  /// Returns whether the first time interval is smaller than the second.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs._nanoseconds < rhs._nanoseconds }

  /// Adds two time intervals.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: lhs._nanoseconds.addingSaturated(rhs._nanoseconds))
  }

  /// Subtracts the second time interval from the first.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: lhs._nanoseconds.subtractingSaturated(rhs._nanoseconds))
  }

  /// Multiplies two time intervals, both in seconds, without fractions of a nanosecond.
  ///
  /// One second is the number one of this multiplication, like the literal `1`: `2 * .milliseconds(5)` is ten
  /// milliseconds.
  @inlinable
  public static func * (lhs: Self, rhs: Self) -> Self {
    // The product of two 64-bit factors fits into 128 bits.
    Self(nanoseconds: Int(clamping: Int128(lhs._nanoseconds) * Int128(rhs._nanoseconds) / 1_000_000_000))
  }

  /// Adds a time interval to this one.
  @inlinable
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

  /// Subtracts a time interval from this one.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

  /// Multiplies this time interval by another, both in seconds.
  @inlinable
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

extension DispatchQueue.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// Creates a time interval of a number of seconds and fractions of a second.
  ///
  /// Fractions of a nanosecond are dropped; a value that is not a number counts as zero.
  @inlinable
  public static func seconds(_ s: Double) -> Self {
    Self(nanoseconds: Int(saturating: s * 1_000_000_000))
  }

  /// Creates a time interval of a number of seconds.
  @inlinable
  public static func seconds(_ s: Int) -> Self {
    Self(nanoseconds: s.multipliedSaturated(by: 1_000_000_000))
  }

  /// Creates a time interval of a number of milliseconds.
  @inlinable
  public static func milliseconds(_ ms: Int) -> Self {
    Self(nanoseconds: ms.multipliedSaturated(by: 1_000_000))
  }

  /// Creates a time interval of a number of microseconds.
  @inlinable
  public static func microseconds(_ us: Int) -> Self {
    Self(nanoseconds: us.multipliedSaturated(by: 1_000))
  }

  /// Creates a time interval of a number of nanoseconds.
  @inlinable
  public static func nanoseconds(_ ns: Int) -> Self {
    Self(nanoseconds: ns)
  }
}

extension DispatchQueue.SchedulerTimeType.Stride: Codable {}
