// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes the values that are not `nil`, unwrapped.
  ///
  /// ![The numbers pass; nil is left out.](unwrap)
  ///
  /// ```swift
  /// let cancellable = [1, 2, nil, 3, nil, 4].publisher.unwrap().sink { print("Received value:", $0) }
  /// // Prints "Received value: 1" to "Received value: 4" on four lines.
  /// ```
  ///
  /// One level of optional is removed: an `Int??` becomes an `Int?`, which can still be `nil`.
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped `nil`, one more value is requested.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// Use `replaceNil(with:)` to replace each `nil` instead of skipping it, and `compactMap(_:)` to transform the values
  /// in the same step.
  ///
  /// - Returns: A publisher of unwrapped values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func unwrap<T>() -> Publishers.CompactMap<Self, T> where Output == T? {
    compactMap { $0 }
  }
}
