// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Lets through the values that are there, and takes them out of their optionals.
  ///
  /// ```swift
  /// let cancellable = [1, 2, nil, 3, nil, 4].publisher.unwrap().sink { print("Received value:", $0) }
  /// // Prints "Received value: 1" to "Received value: 4" on four lines.
  /// ```
  ///
  /// One layer of optionals is taken off: an `Int??` becomes an `Int?`, which may still be `nil`.
  ///
  /// **Demand:** passes to upstream; for each `nil` upstream is asked for one more value.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds none. Values pass where upstream delivers them.
  ///
  /// - Returns: A publisher of what is there.
  @_disfavoredOverload
  @inlinable
  public func unwrap<T>() -> Publishers.CompactMap<Self, T> where Output == T? {
    compactMap { $0 }
  }
}
