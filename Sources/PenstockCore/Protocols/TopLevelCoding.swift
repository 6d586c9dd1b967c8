// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that encodes whole values into a form such as `Data`.
///
/// `JSONEncoder` and `PropertyListEncoder` conform if `PenstockFoundation` is imported.
public protocol TopLevelEncoder {
  /// The type of the encoded form.
  associatedtype Output

  /// Encodes a value.
  ///
  /// - Parameter value: The value to encode.
  /// - Returns: Its encoded form.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A type that decodes whole values from a form such as `Data`.
///
/// `JSONDecoder` and `PropertyListDecoder` conform if `PenstockFoundation` is imported.
public protocol TopLevelDecoder {
  /// The type of the encoded form.
  associatedtype Input

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - from: The encoded form.
  /// - Returns: The value.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}
