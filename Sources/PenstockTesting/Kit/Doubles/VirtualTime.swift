// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A point in virtual time, counted in nanoseconds from zero.
///
/// It is the time of a ``VirtualTimeScheduler`` that does not imitate a particular scheduler. Literals are seconds.
///
/// ```swift
/// let date: VirtualTime = 1.5
/// print(date, date.advanced(by: .milliseconds(250)))
/// // Prints "1.5s 1.75s"
/// ```
///
/// Arithmetic saturates: results beyond the range of the nanoseconds become its end.
public struct VirtualTime: Hashable, Codable, Sendable {
  /// The nanoseconds since zero; negative before it.
  public var nanoseconds: Int

  /// Creates a point in time.
  public init(nanoseconds: Int) {
    self.nanoseconds = nanoseconds
  }

  /// The start of virtual time.
  public static let zero = VirtualTime(nanoseconds: 0)
}

extension VirtualTime: Strideable {
  /// Returns the time interval to another point; negative if that is earlier.
  public func distance(to other: VirtualTime) -> Stride {
    Stride(nanoseconds: other.nanoseconds) - Stride(nanoseconds: nanoseconds)
  }

  /// Returns the point that is a time interval later.
  public func advanced(by n: Stride) -> VirtualTime {
    VirtualTime(nanoseconds: (Stride(nanoseconds: nanoseconds) + n).nanoseconds)
  }

  /// Returns whether one point is earlier than another.
  public static func < (lhs: VirtualTime, rhs: VirtualTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}

extension VirtualTime: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a point a number of seconds after zero.
  public init(integerLiteral value: Int) {
    self.init(nanoseconds: Stride.seconds(value).nanoseconds)
  }

  /// Creates a point a number of seconds after zero.
  public init(floatLiteral value: Double) {
    self.init(nanoseconds: Stride.seconds(value).nanoseconds)
  }
}

extension VirtualTime: CustomStringConvertible {
  /// The time since zero, such as `1.5s`.
  public var description: String { Stride(nanoseconds: nanoseconds).description }
}

extension VirtualTime {
  /// A time interval, counted in nanoseconds.
  ///
  /// Literals are seconds, and so are the factors of a multiplication. Arithmetic saturates.
  public struct Stride: Hashable, Codable, Sendable {
    /// The number of nanoseconds.
    public var nanoseconds: Int

    /// Creates a time interval.
    public init(nanoseconds: Int) {
      self.nanoseconds = nanoseconds
    }
  }
}

extension VirtualTime.Stride: SchedulerTimeIntervalConvertible {
  /// Makes a length of a number of units.
  private init(_ count: Int, unit: Int) {
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    self.init(nanoseconds: overflow ? (count < 0 ? .min : .max) : product)
  }

  /// Creates a time interval of a number of seconds.
  public static func seconds(_ s: Int) -> Self { Self(s, unit: 1_000_000_000) }

  /// Creates a time interval of a number of seconds, to the nearest nanosecond; of none if it is not a number.
  public static func seconds(_ s: Double) -> Self {
    let nanoseconds = (s * 1e9).rounded()
    if nanoseconds.isNaN { return Self(nanoseconds: 0) }
    if let exact = Int(exactly: nanoseconds) { return Self(nanoseconds: exact) }
    return Self(nanoseconds: nanoseconds < 0 ? .min : .max)
  }

  /// Creates a time interval of a number of milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(ms, unit: 1_000_000) }

  /// Creates a time interval of a number of microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(us, unit: 1_000) }

  /// Creates a time interval of a number of nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }
}

extension VirtualTime.Stride: Comparable, SignedNumeric, ExpressibleByFloatLiteral {
  /// Creates a time interval of a number of seconds.
  public init(integerLiteral value: Int) { self = .seconds(value) }

  /// Creates a time interval of a number of seconds.
  public init(floatLiteral value: Double) { self = .seconds(value) }

  /// Creates a time interval of a number of seconds, if they can be counted in nanoseconds.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    self.init(nanoseconds: nanoseconds)
  }

  /// The absolute value of the time interval.
  public var magnitude: Self { nanoseconds < 0 ? 0 - self : self }

  /// Returns whether one time interval is shorter than another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Adds two time intervals.
  public static func + (lhs: Self, rhs: Self) -> Self {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return Self(nanoseconds: overflow ? (rhs.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// Subtracts the second time interval from the first.
  public static func - (lhs: Self, rhs: Self) -> Self {
    let (difference, overflow) = lhs.nanoseconds.subtractingReportingOverflow(rhs.nanoseconds)
    return Self(nanoseconds: overflow ? (rhs.nanoseconds < 0 ? .max : .min) : difference)
  }

  /// Multiplies two time intervals as numbers of seconds.
  public static func * (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: Int(clamping: Int128(lhs.nanoseconds) * Int128(rhs.nanoseconds) / 1_000_000_000))
  }

  /// Multiplies this time interval by another, as numbers of seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

extension VirtualTime.Stride: CustomStringConvertible {
  /// The time interval in seconds, such as `1.5s`.
  public var description: String {
    let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text = (nanoseconds < 0 ? "-" : "") + String(seconds)
    if rest != 0 {
      // Padded with a leading 1, which preserves leading zeros and is removed again.
      var digits = String(rest + 1_000_000_000).dropFirst()
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return text + "s"
  }
}
