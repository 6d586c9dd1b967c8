// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher of the values that have a key in common; see
/// ``PenstockCore/Publisher/grouped(by:maxGroups:buffer:whenFull:)``.
///
/// ```swift
/// let cancellable = [1, 2, 3].publisher.grouped { $0 % 2 }
///   .flatMap { group in group.map { "\(group.key): \($0)" } }
///   .sink { _ in } receiveValue: { print($0) }
/// // Prints "1: 1", "0: 2", "1: 3" on three lines.
/// ```
///
/// **Demand:** the values that its subscriber has not requested wait in the group, up to its bound. `request(.none)` traps.
///
/// **Completion:** when the publisher that has been grouped has finished, or the group has had no value for some time,
/// and after the values that wait.
///
/// **Failure:** that of the publisher that has been grouped, or a ``GroupingError``; at once, and the values that wait are
/// dropped.
///
/// **Concurrency:** values of all groups are delivered one at a time, on the thread on which upstream delivers, or on one
/// that requests.
///
/// **Traps:** a second subscriber. A group without a subscriber whose publisher has been released counts as cancelled.
public struct GroupedPublisher<Key, Output, Failure: Error>: Publisher {
  /// The key that the values have in common.
  public let key: Key

  @usableFromInline internal let handle: SplitHandle<Key, Output, Failure>

  @inlinable
  internal init(_ handle: SplitHandle<Key, Output, Failure>) {
    key = handle.part.mark
    self.handle = handle
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    handle.attach(subscriber, name: "Group")
  }
}
