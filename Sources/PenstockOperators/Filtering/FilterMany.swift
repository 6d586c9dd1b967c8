// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sequence {
  /// Republishes each collection as an array, without the elements that do not satisfy a predicate.
  ///
  /// ![Of each array, the even elements are published.](filter-many)
  ///
  /// ```swift
  /// let cancellable = [[1, 2, 3], [5]].publisher.filterMany { $0.isMultiple(of: 2) }.sink { print($0) }
  /// // Prints "[2]", "[]" on two lines.
  /// ```
  ///
  /// A collection in which no element satisfies the predicate is published as an empty array.
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``mapMany(_:)`` to transform the elements, and `filter(_:)` to test each value as a whole.
  ///
  /// - Parameter isIncluded: A predicate for the elements to keep.
  /// - Returns: A publisher of arrays, one for each value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func filterMany(
    _ isIncluded: @escaping (Output.Element) -> Bool
  ) -> Publishers.Lifted<[Output.Element], Failure> {
    calling(as: FilterManyName.self) { $0.filter(isIncluded) }
  }
}

/// The name of `filterMany(_:)`.
@usableFromInline
internal enum FilterManyName: UseName {
  @inlinable
  internal static var name: String { "FilterMany" }
}
