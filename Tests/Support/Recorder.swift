// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
import Synchronization

/// A signal that a subscriber has received.
public enum Event<Value, Failure: Error> {
  /// A subscription, by its description.
  case subscription(String)
  case value(Value)
  case completion(Subscribers.Completion<Failure>)
}

extension Event: Equatable where Value: Equatable, Failure: Equatable {}

extension Event: Sendable where Value: Sendable {}

/// A subscriber that records its signals, requests as the test configures it, and checks the rules of streams.
///
/// What is checked is recorded, and the test decides what it expects: ``complaints`` for a test that requests and
/// cancels through the recorder, on one thread; ``hasOverlapped`` and ``isSerial`` for a test with several threads.
///
/// `@unchecked`: the state that deliveries write is deliberately not behind a lock. If nothing overlaps, the writes are
/// ordered; otherwise the thread sanitizer reports them. Any thread may request and cancel.
public final class Recorder<Input, Failure: Error>: Subscriber, CustomStringConvertible, @unchecked Sendable {
  public private(set) var events: [Event<Input, Failure>] = []
  public private(set) var values: [Input] = []
  public private(set) var completions: [Subscribers.Completion<Failure>] = []
  /// The steps that break the contract between a publisher and its subscriber, in words.
  public private(set) var complaints: [String] = []

  /// Called after the subscription has been recorded.
  public var onSubscription: ((any Subscription) -> Void)?
  /// Called after a value has been recorded; returns the demand to return.
  public var onValue: ((Input) -> Subscribers.Demand)?
  /// Called after the completion has been recorded.
  public var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?

  /// Called before demand is granted.
  public var onGrant: (() -> Void)?

  private let initialDemand: Subscribers.Demand?
  private let received = Locked<[any Subscription]>([])
  private let overlaps = OverlapDetector()
  private var isIntroduced = false
  private let isCancelled = Atomic(false)
  /// The demand that has been granted and not been used; `Int.max` if everything has been requested.
  private let granted = Atomic<Int>(0)

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

  // MARK: What has been received

  public var subscriptions: [any Subscription] { received.value }

  public var subscription: (any Subscription)? { received.value.last }

  /// The descriptions of the subscriptions received.
  public var subscriptionTexts: [String] {
    events.compactMap { if case .subscription(let text) = $0 { text } else { nil } }
  }

  public var isFinished: Bool {
    if case .finished = completions.last { true } else { false }
  }

  /// Whether calls on two threads have overlapped.
  public var hasOverlapped: Bool { overlaps.hasOverlapped }

  /// Whether no call has begun during a delivery, on any thread.
  public var isSerial: Bool { !overlaps.hasOverlapped && !overlaps.hasNested }

  /// Whether no call is running.
  public var isIdle: Bool { overlaps.isIdle }

  // MARK: What the test does

  public func request(_ demand: Subscribers.Demand) {
    grant(demand)
    subscription?.request(demand)
  }

  public func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    subscription?.cancel()
  }

  /// Releases the subscriptions, and so upstream.
  public func releaseSubscriptions() { received.change { $0 = [] } }

  /// Cancels, and releases the subscriptions: the end of a script, after which neither side keeps the other alive.
  public func dismiss() {
    cancel()
    releaseSubscriptions()
  }

  // MARK: The subscriber

  public func receive(subscription: any Subscription) {
    overlaps.call(delivers: false) {
      if isIntroduced { complaints.append("a second subscription") }
      isIntroduced = true
      received.change { $0.append(subscription) }
      events.append(.subscription(String(describing: subscription)))
      onSubscription?(subscription)
      guard let initialDemand else { return }
      grant(initialDemand)
      subscription.request(initialDemand)
    }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    overlaps.call(delivers: true) {
      if !isIntroduced { complaints.append("a value before the subscription") }
      complainOfSignal("a value")
      if !takeOne() { complaints.append("a value that was not asked for: \(input)") }
      values.append(input)
      events.append(.value(input))
      let more = onValue?(input) ?? .none
      grant(more)
      return more
    }
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
    overlaps.call(delivers: true) {
      complainOfSignal("a completion")
      completions.append(completion)
      events.append(.completion(completion))
      onCompletion?(completion)
    }
    // A subscriber that keeps its subscription is kept alive by it, too. With this many values, that would be a
    // gigabyte in the end, for which each copy of the process pays.
    if values.count > 10_000 { releaseSubscriptions() }
  }

  private func complainOfSignal(_ signal: String) {
    if !completions.isEmpty { complaints.append("\(signal) after the completion") }
    if isCancelled.load(ordering: .relaxed) { complaints.append("\(signal) after cancel") }
  }

  private func grant(_ demand: Subscribers.Demand) {
    onGrant?()
    var old = granted.load(ordering: .relaxed)
    while true {
      let new = demand.max.flatMap { old.addingReportingOverflow($0) }
      let (exchanged, original) = granted.weakCompareExchange(
        expected: old, desired: new.map { $0.overflow ? .max : $0.partialValue } ?? .max, ordering: .relaxed)
      if exchanged { return }
      old = original
    }
  }

  /// - Returns: Whether there was demand for a value.
  private func takeOne() -> Bool {
    var old = granted.load(ordering: .relaxed)
    while old > 0, old != .max {
      let (exchanged, original) = granted.weakCompareExchange(expected: old, desired: old - 1, ordering: .relaxed)
      if exchanged { return true }
      old = original
    }
    return old > 0
  }
}
