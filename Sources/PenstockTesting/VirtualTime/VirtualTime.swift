// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A point in a time of its own, counted in nanoseconds from zero.
///
/// The time of a ``VirtualTimeScheduler`` that stands for no particular scheduler. Literals are seconds.
///
/// ```swift
/// let date: VirtualTime = 1.5
/// print(date, date.advanced(by: .milliseconds(250)))
/// // Prints "1.5s 1.75s"
/// ```
///
/// Arithmetic saturates: what would lie beyond the last nanosecond that can be counted is the last one.
public struct VirtualTime: Hashable, Codable, Sendable {
  /// The nanoseconds since zero; negative before.
  public var nanoseconds: Int

  /// Makes a point in time.
  public init(nanoseconds: Int) {
    self.nanoseconds = nanoseconds
  }

  /// Where a virtual time begins.
  public static let zero = VirtualTime(nanoseconds: 0)
}

extension VirtualTime: Strideable {
  /// The time from this point to another; negative if the other is earlier.
  public func distance(to other: VirtualTime) -> Stride {
    Stride(nanoseconds: other.nanoseconds) - Stride(nanoseconds: nanoseconds)
  }

  /// The point that lies so much later.
  public func advanced(by n: Stride) -> VirtualTime {
    VirtualTime(nanoseconds: (Stride(nanoseconds: nanoseconds) + n).nanoseconds)
  }

  /// Whether one point is earlier than another.
  public static func < (lhs: VirtualTime, rhs: VirtualTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}

extension VirtualTime: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// So many seconds after zero.
  public init(integerLiteral value: Int) {
    self.init(nanoseconds: Stride.seconds(value).nanoseconds)
  }

  /// So many seconds after zero.
  public init(floatLiteral value: Double) {
    self.init(nanoseconds: Stride.seconds(value).nanoseconds)
  }
}

extension VirtualTime: CustomStringConvertible {
  /// The time since zero, such as `1.5s`.
  public var description: String { Stride(nanoseconds: nanoseconds).description }
}

extension VirtualTime {
  /// A length of time, counted in nanoseconds.
  ///
  /// Literals are seconds, and so are the factors of a multiplication. Arithmetic saturates.
  public struct Stride: Hashable, Codable, Sendable {
    /// How many nanoseconds it takes.
    public var nanoseconds: Int

    /// Makes a length of time.
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

  /// A length of so many seconds.
  public static func seconds(_ s: Int) -> Self { Self(s, unit: 1_000_000_000) }

  /// A length of so many seconds, to the nearest nanosecond.
  public static func seconds(_ s: Double) -> Self {
    let nanoseconds = (s * 1e9).rounded()
    if let exact = Int(exactly: nanoseconds) { return Self(nanoseconds: exact) }
    return Self(nanoseconds: nanoseconds < 0 ? .min : .max)
  }

  /// A length of so many milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(ms, unit: 1_000_000) }

  /// A length of so many microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(us, unit: 1_000) }

  /// A length of so many nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }
}

extension VirtualTime.Stride: Comparable, SignedNumeric, ExpressibleByFloatLiteral {
  /// A length of so many seconds.
  public init(integerLiteral value: Int) { self = .seconds(value) }

  /// A length of so many seconds.
  public init(floatLiteral value: Double) { self = .seconds(value) }

  /// A length of so many seconds, if that many can be counted.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    self.init(nanoseconds: nanoseconds)
  }

  /// The same length, forwards.
  public var magnitude: Self { nanoseconds < 0 ? 0 - self : self }

  /// Whether one length is shorter than another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Adds two lengths.
  public static func + (lhs: Self, rhs: Self) -> Self {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return Self(nanoseconds: overflow ? (rhs.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// Subtracts a length from another.
  public static func - (lhs: Self, rhs: Self) -> Self {
    let (difference, overflow) = lhs.nanoseconds.subtractingReportingOverflow(rhs.nanoseconds)
    return Self(nanoseconds: overflow ? (rhs.nanoseconds < 0 ? .max : .min) : difference)
  }

  /// Multiplies two lengths as numbers of seconds.
  public static func * (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: Int(clamping: Int128(lhs.nanoseconds) * Int128(rhs.nanoseconds) / 1_000_000_000))
  }

  /// Multiplies this length by another, as numbers of seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

extension VirtualTime.Stride: CustomStringConvertible {
  /// The length in seconds, such as `1.5s`.
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
