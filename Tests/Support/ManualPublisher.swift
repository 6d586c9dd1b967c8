// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A subscription that records all calls, and does nothing else.
///
/// Any thread may call it, as the rules of a stream allow.
public final class ManualSubscription: Subscription, CustomStringConvertible, @unchecked Sendable {
  public enum Call: Equatable, Sendable {
    case requested(Subscribers.Demand)
    case cancelled
  }

  public var calls: [Call] { recorded.value }
  public var onRequest: ((Subscribers.Demand) -> Void)?
  public var onCancel: (() -> Void)?

  private let recorded = Locked<[Call]>([])

  public init() {}

  public var description: String { "ManualSubscription" }

  /// What has been requested so far, in order.
  public var requests: [Subscribers.Demand] {
    calls.compactMap { if case .requested(let demand) = $0 { demand } else { nil } }
  }

  public var cancellations: Int { calls.filter { $0 == .cancelled }.count }

  public func request(_ demand: Subscribers.Demand) {
    recorded.change { $0.append(.requested(demand)) }
    onRequest?(demand)
  }

  public func cancel() {
    recorded.change { $0.append(.cancelled) }
    onCancel?()
  }
}

/// A publisher driven by hand.
///
/// It enforces no rule, so that a test can break them.
public final class ManualPublisher<Output, Failure: Error>: Publisher, @unchecked Sendable {
  /// Delivered to each subscriber when it attaches; `nil` to deliver none.
  public var subscription: ManualSubscription?
  public private(set) var subscribers: [AnySubscriber<Output, Failure>] = []
  public var onSubscribe: (() -> Void)?

  public init(subscription: ManualSubscription? = ManualSubscription()) {
    self.subscription = subscription
  }

  public var calls: [ManualSubscription.Call] { subscription?.calls ?? [] }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscribers.append(AnySubscriber(subscriber))
    onSubscribe?()
    if let subscription { subscriber.receive(subscription: subscription) }
  }

  /// Delivers to the latest subscriber, whatever its demand.
  @discardableResult
  public func send(_ value: Output) -> Subscribers.Demand {
    subscribers.last!.receive(value)
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    subscribers.last!.receive(completion: completion)
  }

  public func send(subscription: any Subscription) {
    subscribers.last!.receive(subscription: subscription)
  }

  public func releaseSubscribers() { subscribers = [] }
}

/// A publisher that delivers nothing to its subscriber and keeps it: a test may then use the subscriber as downstream's
/// subscription, which it is as well.
public final class KeepingPublisher<Output, Failure: Error>: Publisher {
  public private(set) var subscriber: (any Subscriber<Output, Failure>)?

  public init() {}

  public var asSubscription: (any Subscription)? { subscriber as? any Subscription }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = subscriber
  }
}
