// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that observes every subscription in the process; a tool for debugging, not part of a program.
///
/// The callbacks come in pairs, before and after the call that they report, and properly nested. Each has a default
/// implementation that does nothing.
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
/// Subscriptions made while an observer is enabled report from then on to all observers enabled at the time;
/// subscriptions made while none is enabled never report. While none is enabled, the cost is one load for each chain of
/// operators: a chain is shown if an observer is enabled when its end is attached. A subscriber of the library's that is
/// passed to ``Publisher/receive(subscriber:)`` directly, and not to `subscribe(_:)`, is not shown, nor are the
/// publishers upstream of it.
///
/// **Demand:** observed, and left unchanged.
///
/// **Concurrency:** callbacks run on the thread of the call that they report, and several may run at the same time. No
/// lock is held meanwhile.
public protocol _Introspection: AnyObject {
  /// Called before a publisher receives a subscriber.
  func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input

  /// Called after a publisher has received a subscriber.
  func didReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input

  /// Called before a subscriber receives its subscription.
  func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription)

  /// Called after a subscriber has received its subscription.
  func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription)

  /// Called before a subscriber receives a value.
  func willReceive<S: Subscriber>(subscriber: S, input: S.Input)

  /// Called after a subscriber has received a value and returned its demand.
  func didReceive<S: Subscriber>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand)

  /// Called before a subscriber receives the completion.
  func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>)

  /// Called after a subscriber has received the completion.
  func didReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>)

  /// Called before a subscription receives a request.
  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// Called after a subscription has received a request.
  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// Called before a subscription is cancelled.
  func willCancel(subscription: any Subscription)

  /// Called after a subscription has been cancelled.
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
  /// Starts observing; has no effect if it is enabled already.
  ///
  /// The library keeps the observer alive until it is disabled.
  public func enable() { introspections.add(self) }

  /// Stops observing, existing subscriptions included.
  public func disable() { introspections.remove(self) }

  /// Whether the observer is enabled.
  public var isEnabled: Bool { introspections.current.contains { $0 === self } }
}
