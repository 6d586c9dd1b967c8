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

  /// Adds two publishers to the enclosing operator of the same kind, if this subscriber belongs to one.
  ///
  /// It is a requirement, and not a cast, so that a compiler that knows the type leaves out the code that would
  /// subscribe to both publishers again. Not to be implemented outside of the library.
  ///
  /// - Returns: Whether this subscriber belongs to such an operator, and it awaits an upstream.
  func _join<Prefix: Publisher, Suffix: Publisher>(_ prefix: Prefix, followedBy suffix: Suffix) -> Bool
  where Prefix.Output == Input, Prefix.Failure == Failure, Suffix.Output == Input, Suffix.Failure == Failure

  /// The place of this subscriber in its chain; see ``_SubscriberPlace``. Not to be implemented outside of the library.
  static var _place: _SubscriberPlace { get }

  /// Whether ``_receiveRun(_:)`` does more than receive one value after the other. Not to be implemented outside of the
  /// library.
  static var _takesRuns: Bool { get }

  /// Receives values from a source of which everything has been requested, until it has no more.
  ///
  /// A subscriber that enters a loop for each value enters it once for many. Not to be implemented outside of the library.
  ///
  /// - Parameter next: Makes the next value, without running code of the user's; `nil` if the source has been cancelled, or
  ///   has no more.
  func _receiveRun(_ next: () -> Input?)
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
