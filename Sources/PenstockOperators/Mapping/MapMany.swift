// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sequence {
  /// Transforms each element of each collection, and publishes the results as an array.
  ///
  /// ![Each element of each array becomes ten times that number.](map-many)
  ///
  /// ```swift
  /// let cancellable = [[1, 2], [], [3]].publisher.mapMany { $0 * 10 }.sink { print($0) }
  /// // Prints "[10, 20]", "[]", "[30]" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``filterMany(_:)`` to leave elements out, and `flatMap` to publish the elements one by one.
  ///
  /// - Parameter transform: A closure that transforms an element.
  /// - Returns: A publisher of arrays, one for each value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func mapMany<Result>(
    _ transform: @escaping (Output.Element) -> Result
  ) -> Publishers.Lifted<[Result], Failure> {
    calling(as: MapManyName.self) { $0.map(transform) }
  }
}

/// The name of `mapMany(_:)`.
@usableFromInline
internal enum MapManyName: UseName {
  @inlinable
  internal static var name: String { "MapMany" }
}
