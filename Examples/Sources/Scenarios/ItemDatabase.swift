// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock

/// Items in memory, which take their time to be found.
public final class ItemDatabase {
  private let items: [String]
  private let answer: ([String], String) -> AnyPublisher<[String], Never>

  /// The filters that have been asked for, in order.
  public private(set) var queries: [String] = []

  /// Makes a database.
  ///
  /// - Parameters:
  ///   - items: What it holds.
  ///   - scheduler: Where it waits.
  ///   - latency: How long it takes to answer a filter.
  public init(
    _ items: [String], scheduler: some Scheduler<DispatchQueue.SchedulerTimeType>,
    latency: @escaping (String) -> DispatchQueue.SchedulerTimeType.Stride
  ) {
    self.items = items
    answer = { found, filter in
      Just(found).delay(for: latency(filter), scheduler: scheduler).eraseToAnyPublisher()
    }
  }

  /// Looks for the items that contain a text, or for all if it is empty.
  ///
  /// The query is made now, whether anybody subscribes or not.
  public func loadItemsMatchingFilter(_ filter: String) -> AnyPublisher<[String], Never> {
    queries.append(filter)
    let wanted = filter.lowercased()
    return answer(items.filter { wanted.isEmpty || $0.lowercased().contains(wanted) }, filter)
  }
}
