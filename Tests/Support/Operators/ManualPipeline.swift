// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// One operator between a publisher driven by hand and a recorder, with its types erased.
///
/// The inputs are numbers, and outputs are recorded as text, so that operators of all types fit into one list.
public final class ManualPipeline {
  public let subscription: ManualSubscription

  /// The operator's deliveries: `subscription X`, `value X`, `finished`, `failure(X)`.
  public var events: [String] { readEvents() }
  public var values: [String] { events.filter { $0.hasPrefix("value ") }.map { String($0.dropFirst(6)) } }
  public var ends: [String] { events.filter { $0 == "finished" || $0.hasPrefix("failure") } }

  /// The subscriptions that downstream has received.
  public var received: [any Subscription] { readReceived() }

  /// Called with each value in downstream; returns the additional demand.
  public var onValue: () -> Subscribers.Demand = { .none }
  /// Called at the completion in downstream.
  public var onEnd: () -> Void = {}

  private let readEvents: () -> [String]
  private let readReceived: () -> [any Subscription]
  private let sendValue: (Int) -> Subscribers.Demand
  private let sendEnd: (_ fails: Bool) -> Void
  private let sendSubscription: (any Subscription) -> Void
  private let releaseAll: () -> Void
  private let readSubscriber: () -> any Subscriber
  /// The operator, as upstream sees it.
  public var subscriber: any Subscriber { readSubscriber() }
  /// The subscriber downstream of the operator.
  public let downstream: any AnyObject & CustomCombineIdentifierConvertible

  public init<P: Publisher, Failure: Error>(
    subscribed: Bool, demand: Subscribers.Demand?, check: @escaping OperatorSpec.Check = { _ in },
    _ build: (Upstream<Failure>) -> P
  ) {
    let subscription = ManualSubscription()
    self.subscription = subscription
    let upstream = ManualPublisher<Int, Failure>(subscription: subscribed ? subscription : nil)
    let subscriber = Locked<(any Subscriber)?>(nil)
    let recorder = Recorder<P.Output, P.Failure>(demand: demand)
    downstream = recorder
    readEvents = {
      recorder.events.map { event in
        switch event {
        case .subscription(let text): "subscription \(text)"
        case .value(let value): "value \(value)"
        case .completion(let completion): "\(completion)"
        }
      }
    }
    readReceived = { recorder.subscriptions }
    sendValue = { upstream.send($0) }
    sendEnd = { fails in
      if fails, let failure = TestError.oops as? Failure {
        upstream.send(completion: .failure(failure))
      } else {
        upstream.send(completion: .finished)
      }
    }
    sendSubscription = { upstream.send(subscription: $0) }
    releaseAll = {
      upstream.releaseSubscribers()
      recorder.releaseSubscriptions()
      subscriber.change { $0 = nil }
    }
    readSubscriber = { subscriber.value! }
    recorder.onCompletion = { [weak self] _ in self?.onEnd() }
    recorder.onValue = { [weak self] _ in self?.onValue() ?? .none }
    build(Upstream(upstream, check: check, onSubscriber: { made in subscriber.change { $0 = made } }))
      .subscribe(recorder)
  }

  // MARK: Upstream's actions

  @discardableResult
  public func send(_ value: Int) -> Subscribers.Demand { sendValue(value) }
  public func finish() { sendEnd(false) }
  public func fail() { sendEnd(true) }

  /// Delivers a subscription to the operator: the pipeline's own unless another is given.
  public func subscribe(_ other: (any Subscription)? = nil) { sendSubscription(other ?? subscription) }

  /// Releases upstream's reference to the operator, and downstream's to its subscription, as both do after the end.
  public func release() { releaseAll() }

  // MARK: Downstream's actions

  public func request(_ demand: Subscribers.Demand) { received[0].request(demand) }
  public func cancel() { received[0].cancel() }
}

extension ManualPipeline {
  /// The subscription that the operator delivers, or will deliver, if it is one of its own.
  public var ownSubscription: (any Subscription)? {
    subscriber as? any Subscription ?? (subscriber as? any ObservingShape)?.subscription
  }
}

/// The shape of `print` and `handleEvents` has a subscription that is separate from the subscriber.
private protocol ObservingShape {
  var subscription: ObservingSubscription { get }
}

extension ObservingSubscriber: ObservingShape {}
