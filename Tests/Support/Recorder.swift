// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// An event that a subscriber has received.
public enum Event<Value, Failure: Error> {
  /// A subscription, by its description.
  case subscription(String)
  case value(Value)
  case completion(Subscribers.Completion<Failure>)
}

extension Event: Equatable where Value: Equatable, Failure: Equatable {}

/// A subscriber that records its events, and requests as the test configures it.
///
/// Not protected against races: tests that deliver from several threads guard what they read.
public final class Recorder<Input, Failure: Error>: Subscriber, CustomStringConvertible, @unchecked Sendable {
  public private(set) var events: [Event<Input, Failure>] = []
  public private(set) var subscriptions: [any Subscription] = []

  /// Called after the subscription has been recorded.
  public var onSubscription: ((any Subscription) -> Void)?
  /// Called after a value has been recorded; returns the demand to return.
  public var onValue: ((Input) -> Subscribers.Demand)?
  /// Called after the completion has been recorded.
  public var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?

  private let initialDemand: Subscribers.Demand?

  /// - Parameter demand: What to request as soon as the subscription arrives; `nil` to request nothing.
  public init(demand: Subscribers.Demand? = .unlimited) {
    initialDemand = demand
  }

  /// Makes a recorder that returns the same demand for each value.
  public convenience init(demand: Subscribers.Demand?, answering answer: Subscribers.Demand) {
    self.init(demand: demand)
    onValue = { _ in answer }
  }

  public var description: String { "Recorder" }

  public var values: [Input] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  public var completions: [Subscribers.Completion<Failure>] {
    events.compactMap { if case .completion(let completion) = $0 { completion } else { nil } }
  }

  /// The descriptions of the subscriptions received.
  public var subscriptionTexts: [String] {
    events.compactMap { if case .subscription(let text) = $0 { text } else { nil } }
  }

  public var isFinished: Bool {
    if case .finished = completions.last { true } else { false }
  }

  public func request(_ demand: Subscribers.Demand) { subscriptions.last?.request(demand) }

  public func cancel() { subscriptions.last?.cancel() }

  /// Releases the subscriptions, and so upstream.
  public func releaseSubscriptions() { subscriptions = [] }

  public func receive(subscription: any Subscription) {
    subscriptions.append(subscription)
    events.append(.subscription(String(describing: subscription)))
    onSubscription?(subscription)
    if let initialDemand { subscription.request(initialDemand) }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    events.append(.value(input))
    return onValue?(input) ?? .none
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
    events.append(.completion(completion))
    onCompletion?(completion)
  }
}

extension Event: Sendable where Value: Sendable {}
