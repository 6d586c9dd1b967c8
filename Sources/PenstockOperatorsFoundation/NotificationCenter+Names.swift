// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore
public import PenstockFoundation

extension NotificationCenter {
  /// Publishes the notifications of several names, in the order in which they are posted.
  ///
  /// Combine has no such method.
  ///
  /// ```swift
  /// let center = NotificationCenter()
  /// let names = ["opened", "closed"].map { Notification.Name($0) }
  /// let cancellable = center.publisher(for: names).sink { print($0.name.rawValue) }
  /// center.post(name: names[1], object: nil)
  /// center.post(name: names[0], object: nil)
  /// // Prints "closed", "opened" on two lines.
  /// ```
  ///
  /// **Demand:** one notification of each name is requested in advance, and waits for the subscriber; while it waits,
  /// further notifications with that name are dropped.
  ///
  /// **Completion:** none; with an empty list of names, at once. **Failure:** none.
  ///
  /// **Concurrency:** as for a single name: delivers on the thread that posts, one notification at a time.
  ///
  /// Use `publisher(for:object:)` for a single name, and `merge` to combine publishers of any kind.
  ///
  /// - Parameters:
  ///   - names: The names of the notifications.
  ///   - object: The object whose notifications to publish; `nil` for those of all objects.
  /// - Returns: A publisher of notifications.
  public func publisher(
    for names: [Notification.Name], object: AnyObject? = nil
  ) -> Publishers.MergeMany<NotificationCenter.Publisher> {
    Publishers.MergeMany(names.map { publisher(for: $0, object: object) })
  }
}
