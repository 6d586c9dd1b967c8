// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type whose activity can be stopped.
///
/// Cancelling frees what the activity holds, and stops its side effects: timers, network access, disk I/O.
public protocol Cancellable {
  /// Stops the activity.
  func cancel()
}

extension Cancellable {
  /// Stores this cancellable in a collection, wrapped in a new ``AnyCancellable``.
  ///
  /// The wrapper cancels when it is removed from the collection and nobody else holds it.
  ///
  /// - Parameter collection: The collection to append to.
  @inlinable
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Stores this cancellable in a set, wrapped in a new ``AnyCancellable``.
  ///
  /// The wrapper cancels when it is removed from the set and nobody else holds it.
  ///
  /// - Parameter set: The set to insert into.
  @inlinable
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
