// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Subscribers {
  /// A number of values that a subscriber requests.
  ///
  /// A demand is `.none`, `.max(n)` or `.unlimited`. Requests add up and cannot be taken back; unlimited demand stays
  /// unlimited whatever is added to it or subtracted from it.
  ///
  /// ```swift
  /// var demand = Subscribers.Demand.max(3)
  /// demand += 2
  /// print(demand, demand - .max(1), demand + .unlimited)
  /// // Prints "max(5) max(4) unlimited"
  /// ```
  ///
  /// **Traps:** a negative count, and arithmetic with a result below zero.
  @frozen
  public struct Demand: Sendable {
    /// The count; ``unlimitedRawValue`` stands for unlimited demand.
    ///
    /// It is never greater than that.
    @usableFromInline
    internal let rawValue: UInt

    /// One more than the largest finite demand.
    @_alwaysEmitIntoClient
    internal static var unlimitedRawValue: UInt { UInt(Int.max) + 1 }

    /// Decodes a demand; any value above the finite range is unlimited.
    @_alwaysEmitIntoClient
    internal init(rawValue: UInt) {
      self.rawValue = min(rawValue, Self.unlimitedRawValue)
    }

    /// A demand without a limit.
    @inlinable
    public static var unlimited: Demand { Demand(rawValue: unlimitedRawValue) }

    /// A demand for no values, the same as `.max(0)`.
    @inlinable
    public static var none: Demand { Demand(rawValue: 0) }

    /// Creates a demand for a number of values.
    ///
    /// - Parameter value: The number of values; a negative one traps.
    @inlinable
    public static func max(_ value: Int) -> Demand {
      if value < 0 { trap(.negativeDemand) }
      return Demand(rawValue: UInt(value))
    }

    /// The number of requested values, or `nil` if there is no limit.
    @inlinable
    public var max: Int? {
      isUnlimited ? nil : Int(rawValue)
    }
  }
}

// MARK: - Demand with demand

extension Subscribers.Demand {
  /// Adds two demands.
  ///
  /// A sum past `Int.max` is unlimited.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self {
    // Both are at most 2^63, so only the sum of two unlimited demands overflows.
    let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
    return overflow ? .unlimited : Self(rawValue: sum)
  }

  /// Adds a demand to this one.
  ///
  /// A sum past `Int.max` is unlimited.
  @inlinable
  public static func += (lhs: inout Self, rhs: Self) {
    lhs = lhs + rhs
  }

  /// Subtracts the second demand from the first.
  ///
  /// Unlimited minus anything is unlimited; a finite demand minus unlimited is `.none`. Subtracting more than a finite
  /// demand traps.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self {
    if lhs.isUnlimited { return .unlimited }
    if rhs.isUnlimited { return .none }
    if rhs.rawValue > lhs.rawValue { trap(.demandBelowZero) }
    return Self(rawValue: lhs.rawValue - rhs.rawValue)
  }

  /// Subtracts a demand from this one; see `-`.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Self) {
    lhs = lhs - rhs
  }
}

// MARK: - Demand with numbers

extension Subscribers.Demand {
  /// Adds a number, which may be negative, to a demand.
  ///
  /// Unlimited stays unlimited, a sum past `Int.max` is unlimited, and a sum below zero traps.
  @inlinable
  public static func + (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (sum, overflow) = count.addingReportingOverflow(rhs)
    if overflow { return .unlimited }
    if sum < 0 { trap(.demandBelowZero) }
    return Self(rawValue: UInt(sum))
  }

  /// Adds a number, which may be negative, to this demand; see `+`.
  @inlinable
  public static func += (lhs: inout Self, rhs: Int) {
    lhs = lhs + rhs
  }

  /// Subtracts a number, which may be negative, from a demand.
  ///
  /// Unlimited stays unlimited, and a difference below zero traps. A difference past `Int.max` is `.none`, as it is in
  /// Combine.
  @inlinable
  public static func - (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (difference, overflow) = count.subtractingReportingOverflow(rhs)
    if overflow { return .none }
    if difference < 0 { trap(.demandBelowZero) }
    return Self(rawValue: UInt(difference))
  }

  /// Subtracts a number, which may be negative, from this demand; see `-`.
  @inlinable
  public static func -= (lhs: inout Self, rhs: Int) {
    lhs = lhs - rhs
  }

  /// Multiplies a demand by a number.
  ///
  /// Unlimited stays unlimited, a product past `Int.max` is unlimited, and a negative factor of a finite demand traps.
  @inlinable
  public static func * (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    if rhs < 0 { trap(.negativeFactor) }
    let (product, overflow) = count.multipliedReportingOverflow(by: rhs)
    return overflow ? .unlimited : Self(rawValue: UInt(product))
  }

  /// Multiplies this demand by a number; see `*`.
  @inlinable
  public static func *= (lhs: inout Self, rhs: Int) {
    lhs = lhs * rhs
  }
}

// MARK: - Comparing

extension Subscribers.Demand: Comparable, Hashable {
  /// Returns whether the first demand is smaller than the second; unlimited is larger than every number.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

// An extension of its own: beside the conformance, the compiler would warn that these nearly match its requirements.
extension Subscribers.Demand {
  /// Returns whether a demand is larger than a number.
  @inlinable
  public static func > (lhs: Self, rhs: Int) -> Bool { lhs.max.map { $0 > rhs } ?? true }

  /// Returns whether a demand is at least a number.
  @inlinable
  public static func >= (lhs: Self, rhs: Int) -> Bool { lhs.max.map { $0 >= rhs } ?? true }

  /// Returns whether a number is larger than a demand.
  @inlinable
  public static func > (lhs: Int, rhs: Self) -> Bool { rhs.max.map { lhs > $0 } ?? false }

  /// Returns whether a number is at least a demand.
  @inlinable
  public static func >= (lhs: Int, rhs: Self) -> Bool { rhs.max.map { lhs >= $0 } ?? false }

  /// Returns whether a demand is smaller than a number.
  @inlinable
  public static func < (lhs: Self, rhs: Int) -> Bool { rhs > lhs }

  /// Returns whether a number is smaller than a demand.
  @inlinable
  public static func < (lhs: Int, rhs: Self) -> Bool { rhs > lhs }

  /// Returns whether a demand is at most a number.
  @inlinable
  public static func <= (lhs: Self, rhs: Int) -> Bool { rhs >= lhs }

  /// Returns whether a number is at most a demand.
  @inlinable
  public static func <= (lhs: Int, rhs: Self) -> Bool { rhs >= lhs }

  /// Returns whether a demand is for exactly that many values; unlimited equals no number.
  @inlinable
  public static func == (lhs: Self, rhs: Int) -> Bool { lhs.max == rhs }

  /// Returns whether a demand is not for exactly that many values.
  @inlinable
  public static func != (lhs: Self, rhs: Int) -> Bool { lhs.max != rhs }

  /// Returns whether a demand is for exactly that many values; unlimited equals no number.
  @inlinable
  public static func == (lhs: Int, rhs: Self) -> Bool { rhs.max == lhs }

  /// Returns whether a demand is not for exactly that many values.
  @inlinable
  public static func != (lhs: Int, rhs: Self) -> Bool { rhs.max != lhs }
}

// MARK: - Text and coding

extension Subscribers.Demand: CustomStringConvertible {
  /// `unlimited`, or `max(` the count `)`.
  public var description: String {
    max.map { "max(\($0))" } ?? "unlimited"
  }
}

extension Subscribers.Demand: Codable {
  /// Decodes a demand from an unsigned number; anything above `Int.max` means unlimited.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
  }

  /// Encodes the demand as an unsigned number: the count, or `Int.max` plus one for unlimited.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
