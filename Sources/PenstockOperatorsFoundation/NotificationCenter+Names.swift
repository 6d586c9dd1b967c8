// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore
public import PenstockFoundation

extension NotificationCenter {
  /// Publishes the notifications of several names, in the order they are posted.
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
  /// **Demand:** one notification of each name is asked for in advance, and waits for the subscriber; while it waits,
  /// further ones of that name are not kept.
  ///
  /// **Completion:** none, unless there are no names: then at once. **Failure:** none.
  ///
  /// **Concurrency:** as of one name: delivers on the thread that posts, one notification at a time.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - object: Whose notifications to publish; `nil` for everybody's.
  /// - Returns: A publisher of notifications.
  public func publisher(
    for names: [Notification.Name], object: AnyObject? = nil
  ) -> Publishers.MergeMany<NotificationCenter.Publisher> {
    Publishers.MergeMany(names.map { publisher(for: $0, object: object) })
  }
}
