// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher driven by hand, with the log of what its subscribers have requested and cancelled.
///
/// ```swift
/// let upstream = TestPublisher<Int, Never>()
/// let recording = upstream.map { $0 * 2 }.record(demand: .max(1))
/// upstream.send(21)
/// print(recording.values, upstream.requests, upstream.peakDemand)
/// recording.cancel()
/// print(upstream.cancels, upstream.liveSubscriptions)
/// // Prints "[42] [max(1)] max(1)", "1 0" on two lines.
/// ```
///
/// It keeps the rules: a value that nobody has requested is not delivered, but reported as a mistake of the test. To
/// break rules, use a ``MisbehavingPublisher``.
///
/// **Demand:** delivers a value to each subscriber that has requested one.
///
/// **Completion:** needs no demand. A later subscriber gets the same completion at once.
///
/// **Failure:** as sent.
///
/// **Concurrency:** any thread may subscribe, request and cancel. Values are sent by one thread at a time.
public final class TestPublisher<Output, Failure: Error>: Publisher, Sendable {
  private struct State {
    var subscriptions: [TestSubscription] = []
    var live: [(subscription: TestSubscription, subscriber: AnySubscriber<Output, Failure>)] = []
    var completion: Subscribers.Completion<Failure>?
    var onRequest: (@Sendable (Subscribers.Demand) -> Void)?
    var onCancel: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Creates a publisher without subscribers.
  public init() {}

  /// Adds a subscriber, and gives it a subscription.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let number = state.with { $0.subscriptions.count }
    let subscription = TestSubscription(
      onRequest: { [weak self] demand in self?.state.with { $0.onRequest }?(demand) },
      onCancel: { [weak self] in self?.remove(number) })
    let completion = state.with { state in
      state.subscriptions.append(subscription)
      if state.completion == nil { state.live.append((subscription, AnySubscriber(subscriber))) }
      return state.completion
    }
    subscriber.receive(subscription: subscription)
    let isEnd = subscription.state.with { state in
      guard completion != nil, state.isLive else { return false }
      state.isEnded = true
      return true
    }
    if isEnd, let completion { subscriber.receive(completion: completion) }
  }

  private func remove(_ number: Int) {
    let (removed, onCancel) = state.with { state in
      let subscription = state.subscriptions[number]
      let place = state.live.firstIndex { $0.subscription === subscription }
      return (place.map { state.live.remove(at: $0) }, state.onCancel)
    }
    _ = removed
    onCancel?()
  }

  // MARK: What the test does

  /// Delivers a value to each subscriber that has requested one; if a live subscriber has not, that is a mistake of the
  /// test.
  public func send(_ value: Output, file: StaticString = #filePath, line: UInt = #line) {
    let live = state.with { $0.live }
    if live.isEmpty, let completion = state.with({ $0.completion }) {
      return TestFailure(
        "The test sends \(value) after the completion, \(completion): a stream that has ended delivers nothing.",
        file: file, line: line
      ).report()
    }
    for (subscription, subscriber) in live {
      let (isLive, isRequested) = subscription.state.with { state in
        guard state.isLive else { return (false, false) }
        let isRequested = state.ledger.outstanding > .none
        return (true, isRequested && state.ledger.deliver())
      }
      guard isLive else { continue }
      guard isRequested else {
        TestFailure(
          "The test sends \(value), which was not requested: \(subscription.ledger). Request it first, or send less.",
          file: file, line: line
        ).report()
        continue
      }
      let more = subscriber.receive(value)
      subscription.state.with { $0.ledger.receiveReturned(more) }
    }
  }

  /// Finishes the stream.
  public func finish() { send(completion: .finished) }

  /// Ends the stream with a failure.
  public func fail(_ failure: Failure) { send(completion: .failure(failure)) }

  /// Completes the stream, once.
  public func send(completion: Subscribers.Completion<Failure>) {
    let live = state.with { state in
      defer { (state.live, state.completion) = ([], state.completion ?? completion) }
      return state.live
    }
    for (subscription, subscriber) in live {
      let isLive = subscription.state.with { state in
        defer { state.isEnded = true }
        return state.isLive
      }
      if isLive { subscriber.receive(completion: completion) }
    }
  }

  /// Calls a closure at each request.
  public func onRequest(_ action: (@Sendable (Subscribers.Demand) -> Void)?) { state.with { $0.onRequest = action } }

  /// Calls a closure at each cancel.
  public func onCancel(_ action: (@Sendable () -> Void)?) { state.with { $0.onCancel = action } }

  // MARK: What was recorded

  /// The subscriptions so far, one for each subscriber, in order.
  public var subscriptions: [TestSubscription] { state.with { $0.subscriptions } }

  /// The requests of all subscriptions.
  public var requests: [Subscribers.Demand] { subscriptions.flatMap(\.requests) }

  /// The most demand that any subscription had open at one time.
  public var peakDemand: Subscribers.Demand { subscriptions.map(\.ledger.peak).max() ?? .none }

  /// The number of times that subscriptions were cancelled.
  public var cancels: Int { subscriptions.reduce(0) { $0 + $1.cancels } }

  /// The number of subscriptions that have neither been cancelled nor completed.
  public var liveSubscriptions: Int { subscriptions.count { $0.isLive } }
}
