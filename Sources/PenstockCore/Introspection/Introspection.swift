// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Somebody who looks at every link of every stream in the process: a tool, not a part of a program.
///
/// Each callback comes in a pair, before and after the call that it is about, properly nested. All of them do nothing
/// unless they are implemented.
///
/// ```swift
/// final class Counter: _Introspection {
///   func willReceive<S: Subscriber>(subscriber: S, input: S.Input) { print("\(subscriber) gets \(input)") }
/// }
/// let counter = Counter()
/// counter.enable()
/// let numbers = PassthroughSubject<Int, Never>()
/// let cancellable = numbers.map { $0 + 1 }.sink { _ in }
/// numbers.send(1)
/// counter.disable()
/// // Prints "Map gets 1", "Sink gets 2" on two lines.
/// ```
///
/// Streams that are made while somebody is enabled report, from then on, to whoever is enabled at the time; streams made
/// while nobody is never do. As long as nobody is enabled it costs one load for each link that is made.
///
/// **Demand:** seen, and left as it is.
///
/// **Concurrency:** callbacks run on the thread of the call that they are about, and several may run at once. No lock is
/// held meanwhile.
public protocol _Introspection: AnyObject {
  /// A publisher is about to be given a subscriber.
  func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input

  /// A publisher has been given a subscriber.
  func didReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input

  /// A subscriber is about to be given its subscription.
  func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription)

  /// A subscriber has been given its subscription.
  func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription)

  /// A subscriber is about to be given a value.
  func willReceive<S: Subscriber>(subscriber: S, input: S.Input)

  /// A subscriber has been given a value, and has answered.
  func didReceive<S: Subscriber>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand)

  /// A subscriber is about to be given the completion.
  func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>)

  /// A subscriber has been given the completion.
  func didReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>)

  /// A subscription is about to be asked for values.
  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// A subscription has been asked for values.
  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// A subscription is about to be cancelled.
  func willCancel(subscription: any Subscription)

  /// A subscription has been cancelled.
  func didCancel(subscription: any Subscription)
}

extension _Introspection {
  public func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input {}

  public func didReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input {}

  public func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {}

  public func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {}

  public func willReceive<S: Subscriber>(subscriber: S, input: S.Input) {}

  public func didReceive<S: Subscriber>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand) {}

  public func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>) {}

  public func didReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>) {}

  public func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}

  public func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}

  public func willCancel(subscription: any Subscription) {}

  public func didCancel(subscription: any Subscription) {}
}

extension _Introspection {
  /// Starts to look; enabling again changes nothing.
  ///
  /// It is kept alive until it is disabled.
  public func enable() { introspections.add(self) }

  /// Stops to look, at streams that exist as well.
  public func disable() { introspections.remove(self) }

  /// Whether it is looking.
  public var isEnabled: Bool { introspections.current.contains { $0 === self } }
}
