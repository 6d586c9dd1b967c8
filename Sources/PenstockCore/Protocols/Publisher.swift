// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A type that delivers a sequence of values to one or more subscribers over time.
///
/// A publisher delivers to each subscriber, in this order: one subscription, then values, never more of them than the
/// subscriber has asked for, then at most one completion. Nothing happens before somebody subscribes.
///
/// ```swift
/// let words = ["gate", "pipe", "turbine"].publisher
/// let cancellable = words.map(\.count).sink { print($0) }
/// // Prints "4", "4", "7" on three lines.
/// ```
///
/// To write a publisher of your own, implement ``receive(subscriber:)``; users and operators call `subscribe(_:)`.
///
/// **Demand:** values flow only as far as the subscriber's requests reach; see ``Subscribers/Demand``.
///
/// **Concurrency:** a publisher may be subscribed to on any thread. Values arrive on the thread that produced them,
/// unless an operator that takes a scheduler says otherwise.
public protocol Publisher<Output, Failure> {
  /// The kind of values this publisher delivers.
  associatedtype Output

  /// The kind of error this publisher may end with; `Never` for one that cannot fail.
  associatedtype Failure: Error

  /// Attaches a subscriber to this publisher.
  ///
  /// This is the requirement to implement. To subscribe, call `subscribe(_:)`, through which tools see every link
  /// of a chain.
  ///
  /// - Parameter subscriber: The subscriber to hand a subscription to, and then values.
  func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input
}

extension Publisher {
  /// Attaches a subscriber to this publisher.
  ///
  /// - Parameter subscriber: The subscriber to hand a subscription to, and then values.
  @inlinable @inline(__always)
  public func subscribe<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
    if isIntrospected.load(ordering: .relaxed) { return subscribeTapped(subscriber) }
    receive(subscriber: subscriber)
  }
}
