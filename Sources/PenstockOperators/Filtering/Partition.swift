// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Divides the values between two publishers: those that satisfy a condition, and the others.
  ///
  /// ![Of the two publishers, one has the values that satisfy the condition, the other one the rest.](partition)
  ///
  /// ```swift
  /// let numbers = PassthroughSubject<Int, Never>()
  /// let (even, odd) = numbers.partition { $0.isMultiple(of: 2) }
  /// let cancellables = [even.sink { print("even:", $0) }, odd.sink { print("odd:", $0) }]
  /// (1...3).forEach(numbers.send)
  /// cancellables.forEach { $0.cancel() }
  /// // Prints "odd: 1", "even: 2", "odd: 3" on three lines.
  /// ```
  ///
  /// Both share one subscription to this publisher, which the first subscriber of either starts: values delivered
  /// before the second subscriber arrives are lost to it. If this publisher delivers at once, put `makeConnectable()`
  /// before this operator, and connect when both have subscribed.
  ///
  /// **Demand:** unlimited values are requested from this publisher, once for both. Each of the two counts what has
  /// been requested of it, and drops values that have not been requested, as `share()` does.
  ///
  /// **Completion:** forwarded to both.
  ///
  /// **Failure:** forwarded to both.
  ///
  /// **Concurrency:** adds no thread. The condition is evaluated once for each of the two.
  ///
  /// - Parameter isIncluded: The condition.
  /// - Returns: A publisher of the values that satisfy it, and one of the others.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func partition(
    _ isIncluded: @escaping (Output) -> Bool
  ) -> (matches: Publishers.Lifted<Output, Failure>, nonMatches: Publishers.Lifted<Output, Failure>) {
    let shared = share()
    return (
      shared.calling(as: PartitionName.self) { isIncluded($0) ? $0 : nil },
      shared.calling(as: PartitionName.self) { isIncluded($0) ? nil : $0 }
    )
  }
}

/// The name of `partition(_:)`.
@usableFromInline
internal enum PartitionName: UseName {
  @inlinable
  internal static var name: String { "Partition" }
}
