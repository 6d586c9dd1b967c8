// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that receives values and a completion from a publisher.
///
/// A publisher calls ``receive(subscription:)`` once, ``receive(_:)`` for every requested value, and
/// ``receive(completion:)`` at most once. None of the three is called while another one runs on a different thread.
///
/// **Demand:** a subscriber that requests nothing receives no values. Demand is raised in two ways, which add up: by
/// ``Subscription/request(_:)``, on any thread at any time, and by the result of ``receive(_:)``.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of the values that this subscriber receives.
  associatedtype Input

  /// The type of the error that this subscriber can receive; `Never` if it takes only publishers that cannot fail.
  associatedtype Failure: Error

  /// Tells the subscriber that it is subscribed, and passes it the subscription to request values from and to cancel.
  ///
  /// - Parameter subscription: The connection between the publisher and this subscriber.
  func receive(subscription: any Subscription)

  /// Tells the subscriber that the publisher has produced a value.
  ///
  /// - Parameter input: The value.
  /// - Returns: The number of further values that the subscriber requests, in addition to earlier requests.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells the subscriber that the publisher has ended.
  ///
  /// - Parameter completion: Whether the publisher finished or failed.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Whether `append` and `prepend` may join the operator to which this subscriber belongs, in place of being its upstream.
  ///
  /// A requirement, and not a cast, so that a compiler that knows the type leaves out the code for the other case, which is
  /// that of all upstreams once more. Not to be implemented outside of the library.
  static var _mayBeJoined: Bool { get }
}

extension Subscriber {
  @inlinable
  public static var _mayBeJoined: Bool { false }
}

extension Subscriber where Input == Void {
  /// Tells the subscriber that a publisher of `Void` has sent a signal.
  ///
  /// - Returns: The number of further signals that the subscriber requests, in addition to earlier requests.
  @inlinable
  public func receive() -> Subscribers.Demand {
    receive(())
  }
}

/// A namespace for subscribers, and for the types that they exchange with publishers.
public enum Subscribers: Sendable {}
