// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that turns whole values into some encoded form, usually data.
///
/// `JSONEncoder` and `PropertyListEncoder` conform once `PenstockFoundation` is imported.
public protocol TopLevelEncoder {
  /// The encoded form.
  associatedtype Output

  /// Encodes one value.
  ///
  /// - Parameter value: The value to encode.
  /// - Returns: Its encoded form.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A type that turns some encoded form, usually data, back into values.
///
/// `JSONDecoder` and `PropertyListDecoder` conform once `PenstockFoundation` is imported.
public protocol TopLevelDecoder {
  /// The encoded form.
  associatedtype Input

  /// Decodes one value.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - from: The encoded form.
  /// - Returns: The value.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}
