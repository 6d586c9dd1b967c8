// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ItemDatabase
public import Penstock
internal import PenstockInspector

/// A list of items, and the filter above it.
///
/// Typing quickly makes one query and not one a key, and an answer to an old filter never overwrites a newer one.
///
/// **Concurrency:** any thread may set the filter and read the items, since both are published properties; who sends
/// after whom is a matter of the owner. The items change on the thread on which an answer comes.
public final class ItemListController<Context: Scheduler>: ObservableObject
where Context.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
  /// What the list shows.
  @Published public private(set) var items: [Item] = []

  /// What has been typed.
  @Published public var filter = ""

  /// Creates a list that is empty.
  ///
  /// What has passed the two inspected places can be made a marble test; see `marbleTest(from:to:step:)`. They keep how long
  /// a text was and how many items were found, and nothing of what somebody has typed.
  ///
  /// - Parameters:
  ///   - database: What finds the items.
  ///   - scheduler: Where the time passes that typing has to pause.
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
