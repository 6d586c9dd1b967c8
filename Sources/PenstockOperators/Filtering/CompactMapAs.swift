// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes the values that are of a type, converted to it.
  ///
  /// ![The numbers pass as integers; other values are left out.](compact-map-as)
  ///
  /// ```swift
  /// let events: [Any] = [1, "two", 3]
  /// let cancellable = events.publisher.compactMap(as: Int.self).sink { print($0) }
  /// // Prints "1", "3" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// Use `tryMap(_:)` where a value of another type is a mistake, and ``unwrap()`` for optionals.
  ///
  /// - Parameter type: The type.
  /// - Returns: A publisher of the values of that type.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func compactMap<T>(as type: T.Type) -> Publishers.CompactMap<Self, T> {
    compactMap { $0 as? T }
  }
}
