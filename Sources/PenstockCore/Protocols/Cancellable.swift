// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type whose activity can be cancelled.
///
/// Cancelling releases the resources of the activity, and stops its side effects: timers, network access, disk I/O.
public protocol Cancellable {
  /// Cancels the activity.
  func cancel()
}

extension Cancellable {
  /// Stores this cancellable in a collection, wrapped in a new ``AnyCancellable``.
  ///
  /// The wrapper cancels when it is removed from the collection and has no other owner.
  ///
  /// - Parameter collection: The collection to append to.
  @inlinable
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Stores this cancellable in a set, wrapped in a new ``AnyCancellable``.
  ///
  /// The wrapper cancels when it is removed from the set and has no other owner.
  ///
  /// - Parameter set: The set to insert into.
  @inlinable
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
