// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The values that the symbols of a diagram stand for.
///
/// A dictionary names them:
///
/// ```swift
/// let diagram = try MarbleDiagram(
///   """
///   source    a-b-|
///   expected  b-c-|
///   """)
/// let numbers: MarbleValues = ["a": 1, "b": 10, "c": 100]
/// try diagram.verify(values: numbers) { $0.source(values: numbers).map { $0 * 10 } }
/// ```
///
/// A closure makes them, if a dictionary would be long: `MarbleValues { Int($0) }`.
public struct MarbleValues<Value> {
  /// The value of a symbol; `nil` if it has none.
  internal let value: (String) -> Value?
  /// The symbol of a value.
  internal let symbol: (Value) -> String

  /// Creates values with a closure.
  ///
  /// Values are compared by their texts.
  ///
  /// - Parameters:
  ///   - symbol: A closure that returns the text of a value in a diagram; by default, its description.
  ///   - value: A closure that returns the value of a symbol, or `nil` if it has none.
  public init(
    symbol: @escaping (Value) -> String = { String(describing: $0) }, _ value: @escaping (String) -> Value?
  ) {
    self.value = value
    self.symbol = symbol
  }

  /// Returns values that are only received, and compared by their texts.
  ///
  /// - Parameter symbol: A closure that returns the text of a value in a diagram.
  public static func shown(as symbol: @escaping (Value) -> String) -> Self { Self(symbol: symbol) { _ in nil } }

  /// Values that are only received, and compared by their descriptions.
  public static var described: Self { shown { String(describing: $0) } }

  /// The symbol of a value that is received, if the value is the one that a symbol stands for.
  internal func canonical(_ symbol: String) -> String { value(symbol).map(self.symbol) ?? symbol }
}

extension MarbleValues where Value: Equatable {
  /// Creates values from a dictionary.
  ///
  /// A value that is not in it has its description as its symbol.
  public init(_ values: [String: Value]) {
    value = { values[$0] }
    let known = values.sorted { $0.key < $1.key }
    symbol = { value in known.first { $0.value == value }?.key ?? String(describing: value) }
  }
}

extension MarbleValues: ExpressibleByDictionaryLiteral where Value: Equatable {
  /// Creates values from a dictionary.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(Dictionary(elements) { $1 })
  }
}

extension MarbleValues<String> {
  /// The symbols themselves.
  public static var symbols: Self { Self { $0 } }
}

extension MarbleValues<Int> {
  /// Numbers, written in digits.
  public static var numbers: Self { Self { Int($0) } }
}
