// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import PenstockCore

extension DispatchQueue.SchedulerTimeType {
  /// A length of time, in whole nanoseconds.
  ///
  /// Literals are seconds, and so is what ``*(_:_:)`` counts in: one second is the number one.
  ///
  /// ```swift
  /// let stride: DispatchQueue.SchedulerTimeType.Stride = .milliseconds(1_500)
  /// print((stride * 2).magnitude, (stride - 2).magnitude)
  /// // Prints "3000000000 -500000000"
  /// ```
  ///
  /// Nothing here traps: results beyond the bounds of `Int` become the bound. `Int.max` nanoseconds stand for *never*.
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

    /// Makes a length of time from one of Dispatch's; `.never` is `Int.max` nanoseconds.
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

    /// The length of time, as Dispatch has it: always in nanoseconds.
    @inlinable
    public var timeInterval: DispatchTimeInterval { .nanoseconds(_nanoseconds) }
  }
}

extension DispatchQueue.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
  /// Makes a length of time from a number of seconds.
  @inlinable
  public init(integerLiteral value: Int) {
    self = .seconds(value)
  }

  /// Makes a length of time from a number of seconds, without what is less than a nanosecond.
  @inlinable
  public init(floatLiteral value: Double) {
    self = .seconds(value)
  }

  /// Makes a length of time from a number of seconds, if its nanoseconds fit into an `Int`.
  @inlinable
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}

extension DispatchQueue.SchedulerTimeType.Stride: Comparable, SignedNumeric {
  /// Whether one length of time is smaller than another.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs._nanoseconds < rhs._nanoseconds }

  /// Adds two lengths of time.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: lhs._nanoseconds.addingSaturated(rhs._nanoseconds))
  }

  /// Subtracts a length of time from another.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: lhs._nanoseconds.subtractingSaturated(rhs._nanoseconds))
  }

  /// Multiplies two lengths of time, both counted in seconds, without what is less than a nanosecond.
  ///
  /// One second is the one of this multiplication, as the literal `1` says: `2 * .milliseconds(5)` is ten milliseconds.
  @inlinable
  public static func * (lhs: Self, rhs: Self) -> Self {
    // The product of two 64-bit factors fits into 128 bits.
    Self(nanoseconds: Int(clamping: Int128(lhs._nanoseconds) * Int128(rhs._nanoseconds) / 1_000_000_000))
  }

  /// Adds a length of time to this one.
  @inlinable
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

  /// Subtracts a length of time from this one.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

  /// Multiplies this length of time by another, both counted in seconds.
  @inlinable
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

extension DispatchQueue.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// Makes a length of so many seconds, parts of a second included.
  ///
  /// What is less than a nanosecond is dropped; what is not a number counts as zero.
  @inlinable
  public static func seconds(_ s: Double) -> Self {
    Self(nanoseconds: Int(saturating: s * 1_000_000_000))
  }

  /// Makes a length of so many seconds.
  @inlinable
  public static func seconds(_ s: Int) -> Self {
    Self(nanoseconds: s.multipliedSaturated(by: 1_000_000_000))
  }

  /// Makes a length of so many milliseconds.
  @inlinable
  public static func milliseconds(_ ms: Int) -> Self {
    Self(nanoseconds: ms.multipliedSaturated(by: 1_000_000))
  }

  /// Makes a length of so many microseconds.
  @inlinable
  public static func microseconds(_ us: Int) -> Self {
    Self(nanoseconds: us.multipliedSaturated(by: 1_000))
  }

  /// Makes a length of so many nanoseconds.
  @inlinable
  public static func nanoseconds(_ ns: Int) -> Self {
    Self(nanoseconds: ns)
  }
}

extension DispatchQueue.SchedulerTimeType.Stride: Codable {}
