// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock

/// The list behind a search field: shows the items that match what has been typed.
public final class ItemListController: ObservableObject {
  /// What has been found.
  @Published public private(set) var items: [String] = []

  /// What has been typed.
  @Published public var filter = ""

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - database: Where to look.
  ///   - scheduler: Where to wait until nothing is typed any more.
  public init(database: ItemDatabase, scheduler: some Scheduler<DispatchQueue.SchedulerTimeType>) {
    $filter
      .removeDuplicates()
      .debounce(for: 0.3, scheduler: scheduler)
      .map(database.loadItemsMatchingFilter)
      .switchToLatest()
      .assign(to: &$items)
  }
}
