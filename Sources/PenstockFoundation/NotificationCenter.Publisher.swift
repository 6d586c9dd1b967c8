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
  /// **Demand:** a notification that the subscriber has not asked for is not kept for it. `request(.none)` is accepted.
  ///
  /// **Completion:** none. **Failure:** none.
  ///
  /// **Concurrency:** delivers on the thread that posts, before posting returns. While the subscriber is receiving on one
  /// thread, what others post is queued, and delivered there. The subscriber listens from the moment it attaches, until
  /// it cancels or lets go of its subscription.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: Whose notifications to publish; `nil` for everybody's.
  /// - Returns: A publisher of notifications.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// A publisher of notifications; see ``publisher(for:object:)``.
  ///
  /// **Concurrency:** not Sendable, since the object need not be.
  public struct Publisher: PenstockCore.Publisher {
    /// A notification.
    public typealias Output = Notification

    /// It does not fail.
    public typealias Failure = Never

    /// Where the notifications are posted.
    public let center: NotificationCenter

    /// Their name.
    public let name: Notification.Name

    /// Whose notifications are published; `nil` for everybody's.
    public let object: AnyObject?

    /// Makes a publisher of notifications.
    ///
    /// - Parameters:
    ///   - center: Where the notifications are posted.
    ///   - name: Their name.
    ///   - object: Whose notifications to publish; `nil` for everybody's.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Attaches a subscriber, which listens from now on.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      NotificationSubscription(self, to: subscriber.erased()).start()
    }
  }
}

extension NotificationCenter.Publisher: Equatable {
  /// Whether center and object are the same ones, and the name is the same.
  public static func == (lhs: NotificationCenter.Publisher, rhs: NotificationCenter.Publisher) -> Bool {
    lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}
