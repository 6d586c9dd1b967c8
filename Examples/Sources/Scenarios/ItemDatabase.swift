// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock

/// A database of items in memory, with a delay for each query.
public final class ItemDatabase {
  private let items: [String]
  private let answer: ([String], String) -> AnyPublisher<[String], Never>

  /// The filters of all queries, in order.
  public private(set) var queries: [String] = []

  /// Makes a database.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - scheduler: The scheduler of the delays.
  ///   - latency: The delay of a query.
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
  /// The query is made by the call, even without a subscription.
  public func loadItemsMatchingFilter(_ filter: String) -> AnyPublisher<[String], Never> {
    queries.append(filter)
    let wanted = filter.lowercased()
    return answer(items.filter { wanted.isEmpty || $0.lowercased().contains(wanted) }, filter)
  }
}
