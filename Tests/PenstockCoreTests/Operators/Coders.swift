// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

/// An encoder that writes a value's description, and throws at one number.
struct TextEncoder: TopLevelEncoder {
  var refused: Int?

  func encode<T: Encodable>(_ value: T) throws -> String {
    if let number = value as? Int, number == refused { throw TestError.oops }
    return "\(value)"
  }
}

/// A decoder from numbers to the same numbers, which throws at one of them.
struct NumberDecoder: TopLevelDecoder {
  var refused: Int?

  func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
    guard number != refused, let value = number as? T else { throw TestError.oops }
    return value
  }
}
