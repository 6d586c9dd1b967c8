// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that receives values, and the end of them, from a publisher.
///
/// A publisher calls ``receive(subscription:)`` once, ``receive(_:)`` for every value that was asked for, and
/// ``receive(completion:)`` at most once. None of the three is called while another one runs on a different thread.
///
/// **Demand:** a subscriber that asks for nothing gets nothing. Demand is raised in two ways, and both add up: by
/// ``Subscription/request(_:)``, from any thread at any time, and by what ``receive(_:)`` returns.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values this subscriber takes.
  associatedtype Input

  /// The kind of error this subscriber can be told of; `Never` for one that only takes streams that cannot fail.
  associatedtype Failure: Error

  /// Tells the subscriber that it is attached, and hands it the means to ask for values and to stop.
  ///
  /// - Parameter subscription: The connection between the publisher and this subscriber.
  func receive(subscription: any Subscription)

  /// Tells the subscriber that the publisher has produced a value.
  ///
  /// - Parameter input: The value.
  /// - Returns: How many more values the subscriber wants, on top of what it has asked for already.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells the subscriber that the stream is over.
  ///
  /// - Parameter completion: Whether the stream ended by itself or with an error.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Tells the subscriber that a publisher of `Void` has something to say.
  ///
  /// - Returns: How many more signals the subscriber wants, on top of what it has asked for already.
  @inlinable
  public func receive() -> Subscribers.Demand {
    receive(())
  }
}

/// A namespace for types that act as subscribers, and for what they exchange with publishers.
public enum Subscribers: Sendable {}
