// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ItemDatabase
public import Penstock
internal import PenstockInspector

/// A list of items, and the filter above it.
///
/// Typing quickly makes one query, and not one per key, and an answer to an old filter never overwrites a newer one.
///
/// **Concurrency:** any thread may set the filter and read the items, since both are published properties; their order
/// is the owner's responsibility. The items change on the thread on which an answer arrives.
public final class ItemListController<Context: Scheduler>: ObservableObject
where Context.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
  /// What the list shows.
  @Published public private(set) var items: [Item] = []

  /// What has been typed.
  @Published public var filter = ""

  /// Creates a list that is empty.
  ///
  /// The values that have passed the two inspected places can be turned into a marble test; see
  /// `marbleTest(from:to:step:)`. The places keep the length of a text and the number of items found, and nothing that
  /// anyone has typed.
  ///
  /// - Parameters:
  ///   - database: The database that finds the items.
  ///   - scheduler: The scheduler that measures the pause in typing.
  public init(database: some ItemLoading, scheduler: Context) {
    $filter
      .inspected("typed") { "\($0.count)" }
      .removeDuplicates()
      .debounce(for: 0.3, scheduler: scheduler)
      .map(database.loadItemsMatchingFilter)
      .switchToLatest()
      .inspected("shown") { "\($0.count)" }
      .assign(to: &$items)
  }
}
