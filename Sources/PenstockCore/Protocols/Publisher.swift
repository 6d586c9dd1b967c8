// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that delivers a sequence of values to one or more subscribers over time.
///
/// A publisher delivers to each subscriber, in this order: one subscription, then values, never more than the
/// subscriber has requested, then at most one completion. Nothing is delivered before the first subscription, and most
/// publishers do nothing before it; a ``Future`` starts its work at once.
///
/// ```swift
/// let words = ["gate", "pipe", "turbine"].publisher
/// let cancellable = words.map(\.count).sink { print($0) }
/// // Prints "4", "4", "7" on three lines.
/// ```
///
/// To write a publisher of your own, implement ``receive(subscriber:)``, as <doc:WritingAPublisher> shows; users and
/// operators call `subscribe(_:)`.
///
/// **Demand:** values are delivered only as far as the subscriber has requested them; see ``Subscribers/Demand``.
///
/// **Concurrency:** a publisher may be subscribed to on any thread. Values arrive on the thread that produced them,
/// except after an operator that takes a scheduler.
public protocol Publisher<Output, Failure> {
  /// The type of the values that this publisher delivers.
  associatedtype Output

  /// The type of the error that this publisher may fail with; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches a subscriber to this publisher.
  ///
  /// This is the requirement to implement. To subscribe, call `subscribe(_:)`, which also lets debugging tools observe
  /// the subscription.
  ///
  /// - Parameter subscriber: The subscriber that receives the subscription, and then the values.
  func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input

  /// Hands all values over in one call, where no subscription is needed; see ``_FusionTarget``.
  ///
  /// Not to be implemented outside of the library.
  func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure

  /// The ways in which ``_fuse(into:)`` may act. Not to be implemented outside of the library.
  static var _offer: _Offer { get }

  /// Attaches the subscriber of one of several publishers that take turns.
  ///
  /// A publisher whose code for each subscriber would be larger than the rest of a pipeline erases the subscriber
  /// first. It is a requirement, and not a cast, so that the other path is not compiled at all. Not to be implemented
  /// outside of the library.
  func _subscribe<S: _TurnSubscriber>(inTurn subscriber: S) where Failure == S.Failure, Output == S.Input
}

extension Publisher {
  /// Attaches a subscriber to this publisher.
  ///
  /// **Demand:** that of the subscriber.
  ///
  /// **Completion:** that of this publisher, passed to the subscriber.
  ///
  /// **Failure:** likewise.
  ///
  /// **Concurrency:** attaches the subscriber on the calling thread.
  ///
  /// - Parameter subscriber: The subscriber that receives the subscription, and then the values.
  @inlinable @inline(__always)
  public func subscribe<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
    if S._place.isBeginning, !isUnobserved { return Tapped.attach(subscriber, to: self) }
    if S._place.isApart { return attach(subscriber) }
    receive(subscriber: subscriber)
  }
}
