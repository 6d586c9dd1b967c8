// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock

/// The list below a search field: shows the items that match the text in the field.
public final class ItemListController: ObservableObject {
  /// The items that have been found.
  @Published public private(set) var items: [String] = []

  /// The text in the search field.
  @Published public var filter = ""

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - database: The database to search.
  ///   - scheduler: The scheduler that measures the pause after typing.
  public init(database: ItemDatabase, scheduler: some Scheduler<DispatchQueue.SchedulerTimeType>) {
    $filter
      .removeDuplicates()
      .debounce(for: 0.3, scheduler: scheduler)
      .map(database.loadItemsMatchingFilter)
      .switchToLatest()
      .assign(to: &$items)
  }
}
