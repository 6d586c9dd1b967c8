// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

extension NotificationCenter {
  /// Publishes the notifications of one name.
  ///
  /// ```swift
  /// let center = NotificationCenter()
  /// let opened = Notification.Name("opened")
  /// let cancellable = center.publisher(for: opened).sink { print($0.userInfo?["by"] ?? 0) }
  /// center.post(name: opened, object: nil, userInfo: ["by": 3])
  /// // Prints "3"
  /// ```
  ///
  /// **Demand:** a notification that the subscriber has not requested is dropped for it. `request(.none)` is accepted.
  ///
  /// **Completion:** none. **Failure:** none.
  ///
  /// **Concurrency:** delivers on the thread that posts, before posting returns. While the subscriber is receiving on
  /// one thread, notifications posted on others are queued, and delivered on that thread. The subscriber observes from
  /// the moment it attaches, until it cancels or releases its subscription.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The object whose notifications to publish; `nil` for those of all objects.
  /// - Returns: A publisher of notifications.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// A publisher of notifications; see ``publisher(for:object:)``.
  ///
  /// **Demand:**, **Completion:** and **Failure:** as for ``publisher(for:object:)``.
  ///
  /// **Concurrency:** not `Sendable`, since the object need not be.
  public struct Publisher: PenstockCore.Publisher {
    /// The type of the values: a notification.
    public typealias Output = Notification

    /// The type of the failure: it cannot fail.
    public typealias Failure = Never

    /// The notification center.
    public let center: NotificationCenter

    /// The name of the notifications.
    public let name: Notification.Name

    /// The object whose notifications are published; `nil` for those of all objects.
    public let object: AnyObject?

    /// Creates a publisher of notifications.
    ///
    /// - Parameters:
    ///   - center: The notification center.
    ///   - name: The name of the notifications.
    ///   - object: The object whose notifications to publish; `nil` for those of all objects.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Attaches a subscriber, which observes from now on.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      NotificationSource(self).start(subscriber.erased())
    }
  }
}

extension NotificationCenter.Publisher: Equatable {
  /// Returns whether the centers and the objects are the same, and the names are equal.
  public static func == (lhs: NotificationCenter.Publisher, rhs: NotificationCenter.Publisher) -> Bool {
    lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}
