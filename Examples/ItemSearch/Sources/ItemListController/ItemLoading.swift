// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ItemDatabase
public import Penstock

/// A type that finds the items for a list.
public protocol ItemLoading {
  /// Finds the items that match a filter.
  ///
  /// - Parameter filter: What has been typed.
  /// - Returns: A publisher of one answer. A cancel takes the question back.
  func loadItemsMatchingFilter(_ filter: String) -> AnyPublisher<[Item], Never>
}

extension ItemDatabase: ItemLoading {
  /// Returns the items of this database that match a filter, or no answer if the query fails.
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for ``items(matching:)``.
  ///
  /// **Failure:** none: a query that fails leaves the list as it is.
  public func loadItemsMatchingFilter(_ filter: String) -> AnyPublisher<[Item], Never> {
    items(matching: filter).catch { _ in Empty() }.eraseToAnyPublisher()
  }
}
