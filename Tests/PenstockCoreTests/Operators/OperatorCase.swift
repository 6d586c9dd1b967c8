// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// One operator between a publisher driven by hand and a recorder, with its types erased.
///
/// The inputs are numbers, and outputs are recorded as text, so that operators of all types fit into one table.
final class Line {
  let subscription: ManualSubscription

  /// The operator's deliveries: `subscription X`, `value X`, `finished`, `failure(X)`.
  var events: [String] { readEvents() }
  var values: [String] { events.filter { $0.hasPrefix("value ") }.map { String($0.dropFirst(6)) } }
  var ends: [String] { events.filter { $0 == "finished" || $0.hasPrefix("failure") } }

  /// The subscriptions that downstream has received.
  var received: [any Subscription] { readReceived() }

  /// Called with each value in downstream; returns the additional demand.
  var onValue: () -> Subscribers.Demand = { .none }
  /// Called at the completion in downstream.
  var onEnd: () -> Void = {}

  private let readEvents: () -> [String]
  private let readReceived: () -> [any Subscription]
  private let sendValue: (Int) -> Subscribers.Demand
  private let sendEnd: (_ fails: Bool) -> Void
  private let sendSubscription: (any Subscription) -> Void
  private let letGo: () -> Void
  private let readSubscriber: () -> any Subscriber
  /// The operator, as upstream sees it.
  var subscriber: any Subscriber { readSubscriber() }
  /// The subscriber downstream of the operator.
  let downstream: any AnyObject & CustomCombineIdentifierConvertible

  init<P: Publisher, Failure: Error>(
    subscribed: Bool, demand: Subscribers.Demand?,
    _ make: (Upstream<Failure>) -> P
  ) {
    let subscription = ManualSubscription()
    self.subscription = subscription
    let spy = Upstream<Failure>(manual: ManualPublisher(subscription: subscribed ? subscription : nil))
    let upstream = spy.manual
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
    letGo = {
      upstream.releaseSubscribers()
      recorder.releaseSubscriptions()
      spy.subscriber = nil
    }
    readSubscriber = { spy.subscriber! }
    recorder.onCompletion = { [weak self] _ in self?.onEnd() }
    recorder.onValue = { [weak self] _ in self?.onValue() ?? .none }
    make(spy).subscribe(recorder)
  }

  // MARK: Upstream's actions

  @discardableResult
  func send(_ value: Int) -> Subscribers.Demand { sendValue(value) }
  func finish() { sendEnd(false) }
  func fail() { sendEnd(true) }

  /// Delivers a subscription to the operator: the line's own unless another is given.
  func subscribe(_ other: (any Subscription)? = nil) { sendSubscription(other ?? subscription) }

  /// Releases upstream's reference to the operator, and downstream's to its subscription, as both do after the end.
  func release() { letGo() }

  // MARK: Downstream's actions

  func request(_ demand: Subscribers.Demand) { received[0].request(demand) }
  func cancel() { received[0].cancel() }
}

extension Line {
  /// The subscription that the operator delivers, or will deliver, if it is one of its own.
  var ownSubscription: (any Subscription)? {
    subscriber as? any Subscription ?? (subscriber as? any TappedShape)?.subscription
  }

  /// A publisher driven by hand, which also keeps the subscriber itself.
  final class Upstream<Failure: Error>: Publisher {
    typealias Output = Int

    let manual: ManualPublisher<Int, Failure>
    var subscriber: (any Subscriber)?

    init(manual: ManualPublisher<Int, Failure>) { self.manual = manual }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
      self.subscriber = subscriber
      manual.receive(subscriber: subscriber)
    }
  }
}

/// The shape of `print` and `handleEvents` has a subscription that is separate from the subscriber.
private protocol TappedShape {
  var subscription: ObservingSubscription { get }
}

extension ObservingSubscriber: TappedShape {}

/// An operator for a table of operators.
struct OperatorCase: Sendable, CustomTestStringConvertible {
  /// The operator's description, which is also the name of the case.
  let shown: Shown
  /// The descriptions of the values that are delivered for the inputs 2 and 3.
  let outputs: [String]
  /// Whether a failure of upstream is delivered as `failure(oops)`.
  let fails: Bool

  private let make: @Sendable (_ subscribed: Bool, _ demand: Subscribers.Demand?) -> Line

  init<P: Publisher & SendableMetatype, Failure: Error>(
    _ name: String, children: [String?] = [], outputs: [String] = ["2", "3"], failure: Failure.Type,
    _ make: @escaping @Sendable (Line.Upstream<Failure>) -> P
  ) {
    shown = Shown(name, children: children)
    self.outputs = outputs
    fails = Failure.self == TestError.self && P.Failure.self != Never.self
    self.make = { Line(subscribed: $0, demand: $1, make) }
  }

  init<P: Publisher & SendableMetatype>(
    _ name: String, children: [String?] = [], outputs: [String] = ["2", "3"],
    _ make: @escaping @Sendable (Line.Upstream<TestError>) -> P
  ) {
    self.init(name, children: children, outputs: outputs, failure: TestError.self, make)
  }

  var testDescription: String { shown.description }

  /// A line with this operator, whose downstream has unlimited demand by default.
  ///
  /// - Parameter subscribed: Whether upstream's subscription is delivered from the start.
  func line(subscribed: Bool = true, demand: Subscribers.Demand? = .unlimited) -> Line { make(subscribed, demand) }
}
