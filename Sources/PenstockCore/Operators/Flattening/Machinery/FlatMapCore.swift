// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// Which of upstream's values an operator of `flatMap`'s kind turns into inner publishers.
@usableFromInline
package protocol FlatMapPolicy {
  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Whether a value is turned into an inner publisher; otherwise it is ignored.
  ///
  /// - Parameter running: The number of inner publishers that have not ended.
  static func opens(whileRunning running: UInt) -> Bool
}

/// The policy of `flatMap`.
@usableFromInline
package enum FlatMapEvery: FlatMapPolicy {
  @inlinable
  package static var name: String { "FlatMap" }

  @inlinable
  package static func opens(whileRunning running: UInt) -> Bool { true }
}

/// The core of `flatMap`, whatever upstream's values are and how they are turned into publishers.
///
/// Each inner publisher is requested one value at a time until downstream's demand is unlimited. A value without demand
/// waits, and its publisher gets no further request meanwhile: the number of waiting values is bounded by the number of
/// inner publishers.
@usableFromInline
package final class FlatMapCore<Downstream: Subscriber>: FlatMapSubscription {
  /// A value that waits for demand, with its inner stream.
  @usableFromInline
  internal struct Waiting {
    @usableFromInline internal let value: Downstream.Input
    @usableFromInline internal let stream: InnerStream

    @inlinable
    internal init(_ value: Downstream.Input, from stream: InnerStream) {
      self.value = value
      self.stream = stream
    }
  }

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let maxPublishers: Subscribers.Demand

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var demand = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal var waiting: Deque<Waiting> = []
  @exclusivity(unchecked) @usableFromInline internal var upstreamHasFinished = false
  /// Whether every inner stream has been requested without limit.
  @exclusivity(unchecked) @usableFromInline internal var wantsAll = false
  /// Whether a delivery is running: demand that is added during it is served after it has returned.
  @exclusivity(unchecked) @usableFromInline internal var isDelivering = false

  @inlinable
  package init(name: String, _ maxPublishers: Subscribers.Demand, to downstream: Downstream) {
    self.downstream = downstream
    self.maxPublishers = maxPublishers
    super.init(
      name: name, acceptsZeroDemand: false, downstreamIsSynchronous: downstream.isSynchronous,
      work: TypedWork(
        request: { FlatMapCore.downcast($0).add($1) },
        cancel: { FlatMapCore.downcast($0).cancelAbove() },
        discard: { FlatMapCore.downcast($0).waiting = [] }))
  }

  // MARK: Called by the owner

  @inlinable
  internal func take(_ input: Downstream.Input, from stream: InnerStream) -> Subscribers.Demand {
    if isClosed { return .none }
    if demand.isUnlimited {
      _ = downstream.receive(input)
      return .none
    }
    // Waiting values go first.
    if demand == .none || !waiting.isEmpty {
      waiting.append(Waiting(input, from: stream))
      return .none
    }
    let isNested = isDelivering
    deliver(input)
    if !isNested { drain() }
    return .max(1)
  }

  @inlinable
  internal func deliver(_ value: Downstream.Input) {
    assertOwned()
    let isNested = isDelivering
    isDelivering = true
    demand -= 1
    demand += downstream.receive(value)
    isDelivering = isNested
  }

  /// Delivers waiting values, as far as demand reaches.
  @inlinable
  internal func drain() {
    assertOwned()
    if !waiting.isEmpty {
      while demand != .none, !isClosed, let next = waiting.popFirst() {
        requestLater(.max(1), from: next.stream)
        deliver(next.value)
      }
      finishIfDone()
    }
    // Here, and not only in a request: the demand that is returned for a value may be unlimited, too.
    if demand.isUnlimited, !isClosed { wantAll() }
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed || demand.isUnlimited { return }
    demand += more
    if !isDelivering { drain() }
  }

  @inlinable
  internal func wantAll() {
    assertOwned()
    if wantsAll { return }
    wantsAll = true
    askForAll()
  }

  @inlinable
  internal func endStream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    assertOwned()
    ended.store(ended.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    if case .failure = completion { return finish(completion) }
    if upstreamHasFinished { return finishIfDone() }
    if !maxPublishers.isUnlimited { requestLater(.max(1), from: upstream) }
  }

  @inlinable
  internal func endUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    finishIfDone()
  }

  @inlinable
  internal func finishIfDone() {
    assertOwned()
    // Upstream opens no further inner stream, since its completion has been queued after the last one was opened.
    if upstreamHasFinished, waiting.isEmpty, running == 0 { finish(.finished) }
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard close() else { return }
    cancelAbove()
    downstream.receive(completion: completion)
  }
}

/// The signals of the upstream of a ``FlatMapCore``.
@usableFromInline
internal struct FlatMapUpstreamHandler<Input, Inner: Publisher, Downstream: Subscriber, Policy: FlatMapPolicy>:
  SubscriptionInletHandler
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let flatMap: FlatMapCore<Downstream>
  @usableFromInline internal let transform: (Input) -> Inner

  @inlinable
  internal init(_ flatMap: FlatMapCore<Downstream>, _ policy: Policy.Type, _ transform: @escaping (Input) -> Inner) {
    self.flatMap = flatMap
    self.transform = transform
  }

  /// As in Combine: an inner publisher is subscribed to even before upstream has delivered a subscription.
  @inlinable
  internal static var acceptsEarlySignals: Bool { true }

  @inlinable
  internal var core: SerialSubscription { flatMap }

  @inlinable
  internal var inlet: Inlet { flatMap.upstream }

  @inlinable
  internal func arrive(_ subscription: any Subscription) { subscription.request(flatMap.maxPublishers) }

  /// Subscribes to the inner publisher of a value.
  ///
  /// Outside the loop: an inner publisher that delivers at once does not keep other threads out.
  @inlinable
  internal func takeOutsideLoop(_ input: Input) -> Bool {
    if !Policy.opens(whileRunning: flatMap.running) { return true }
    // Counted before the closure runs, because upstream may finish during that.
    flatMap.opened.wrappingAdd(1, ordering: .relaxed)
    let inner = transform(input)
    if !flatMap.isClosed {
      inner.subscribe(InletSubscriber(FlatMapInnerHandler(flatMap, InnerStream(of: .passUnretained(flatMap)))))
    }
    return true
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    flatMap.endUpstream(completion)
  }
}

/// The signals of one inner stream of a ``FlatMapCore``.
@usableFromInline
internal struct FlatMapInnerHandler<Downstream: Subscriber>: InletHandler {
  @usableFromInline internal let flatMap: FlatMapCore<Downstream>
  @usableFromInline internal let stream: InnerStream

  @inlinable
  internal init(_ flatMap: FlatMapCore<Downstream>, _ stream: InnerStream) {
    self.flatMap = flatMap
    self.stream = stream
  }

  @inlinable
  internal var core: SerialSubscription { flatMap }

  @inlinable
  internal var inlet: InnerStream { stream }

  @inlinable
  internal var isActive: Bool { stream.isActive }

  /// Stores the subscription without entering the loop: the list of streams has a lock of its own.
  @inlinable
  internal func attach(_ subscription: any Subscription) {
    if let demand = flatMap.streams.withLock({ $0.add(subscription, of: stream) }) {
      subscription.request(demand)
    } else {
      subscription.cancel()
    }
  }

  @inlinable
  internal func detach(_ completion: Subscribers.Completion<Downstream.Failure>) -> Bool {
    flatMap.streams.withLock { $0.remove(stream) } != nil
  }

  @inlinable
  internal func take(_ input: Downstream.Input) -> Subscribers.Demand {
    flatMap.take(input, from: stream)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    flatMap.endStream(completion)
  }
}
