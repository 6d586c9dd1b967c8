// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The connection between one subscriber and one publisher.
///
/// A subscriber raises its demand with ``request(_:)`` and ends the connection with `cancel()`. Both may be called from
/// any thread, and from inside any call that the subscriber receives. Cancelling is final: once `cancel()` has
/// returned, no further delivery starts.
///
/// `Subscription` is not bound to classes: a structure may conform, if it stores its identifier.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Tells the publisher that it may deliver that many more values.
  ///
  /// Requests add up and are never taken back.
  ///
  /// - Parameter demand: How many values the subscriber is ready for, on top of earlier requests. Many publishers trap
  ///   on `.none`, since asking for nothing is always a mistake.
  func request(_ demand: Subscribers.Demand)
}

/// A namespace for subscriptions.
public enum Subscriptions: Sendable {}
