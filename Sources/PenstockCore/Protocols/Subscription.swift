// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The connection between one subscriber and one publisher.
///
/// A subscriber raises its demand with ``request(_:)`` and ends the connection with `cancel()`. Both may be called on
/// any thread, and during any call that the subscriber receives. Cancelling is final: once `cancel()` has returned, no
/// further delivery starts.
///
/// `Subscription` is not bound to classes: a structure may conform if it stores its identifier.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests a number of further values.
  ///
  /// Requests add up and cannot be taken back.
  ///
  /// - Parameter demand: The number of values, in addition to earlier requests. Many publishers trap on `.none`, since
  ///   a request for nothing is always a mistake.
  func request(_ demand: Subscribers.Demand)

  /// The subscription, if it is one of the library's; an implementation detail.
  var _object: _CancellableObject? { get }
}

/// A namespace for subscriptions.
public enum Subscriptions: Sendable {}

extension Subscriptions {
  /// The one empty subscription.
  ///
  /// `nonisolated(unsafe)` is sound because the object has no state.
  nonisolated(unsafe) private static let nothing = BaseSubscription()

  /// A subscription that ignores every request and has nothing to cancel.
  ///
  /// Publishers that end at once hand it out before their completion.
  ///
  /// **Demand:** ignored; `request(.none)` does not trap here.
  public static var empty: any Subscription { nothing }
}
