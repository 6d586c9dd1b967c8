// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// An encoder that writes a value's description, and throws at one number.
public struct TextEncoder: TopLevelEncoder {
  private let refused: Int?
  private let check: OperatorSpec.Check

  /// - Parameter check: Called with each number; may throw.
  public init(refused: Int? = nil, check: @escaping OperatorSpec.Check = { _ in }) {
    self.refused = refused
    self.check = check
  }

  public func encode<T: Encodable>(_ value: T) throws -> String {
    if let number = value as? Int {
      try check(number)
      if number == refused { throw TestError.oops }
    }
    return "\(value)"
  }
}

/// A decoder from numbers to the same numbers, which throws at one of them.
public struct NumberDecoder: TopLevelDecoder {
  private let refused: Int?
  private let check: OperatorSpec.Check

  /// - Parameter check: Called with each number; may throw.
  public init(refused: Int? = nil, check: @escaping OperatorSpec.Check = { _ in }) {
    self.refused = refused
    self.check = check
  }

  public func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
    try check(number)
    guard number != refused, let value = number as? T else { throw TestError.oops }
    return value
  }
}
