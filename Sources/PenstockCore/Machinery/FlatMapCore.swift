// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// What is behind `flatMap`, whatever upstream's values are and how they become streams.
///
/// Each inner stream is asked for one value at a time until downstream wants everything. A value that downstream has not
/// asked for waits, and its stream is asked for no other meanwhile: what waits is bounded by the number of streams.
@usableFromInline
package final class FlatMapCore<Downstream: Subscriber>: SerialSubscription {
  /// A value that nobody has asked for yet, and where it came from.
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
  @usableFromInline internal let upstream = Inlet()

  // Any thread may reach these: streams are opened outside of the loop, and cancelled from anywhere.

  @usableFromInline internal let streams = Guarded(InnerStreams())
  /// Whether downstream wants everything.
  ///
  /// A stream that finds it unset when its subscription comes is among those that are asked when it is set.
  @usableFromInline internal let wantsAll = Atomic(false)

  // These belong to the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var demand = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal var waiting: Deque<Waiting> = []
  @exclusivity(unchecked) @usableFromInline internal var upstreamHasFinished = false
  /// Whether something is being delivered: what that asks for is served when it has returned, not inside of it.
  @exclusivity(unchecked) @usableFromInline internal var isDelivering = false

  @inlinable
  package init(_ maxPublishers: Subscribers.Demand, to downstream: Downstream) {
    self.downstream = downstream
    self.maxPublishers = maxPublishers
    super.init(
      name: "FlatMap", acceptsNothing: false, endsWithReturn: downstream.isRelay,
      work: TypedWork(
        request: { unsafeDowncast($0, to: FlatMapCore.self).add($1) },
        cancel: { unsafeDowncast($0, to: FlatMapCore.self).cancelAbove() },
        discard: { unsafeDowncast($0, to: FlatMapCore.self).waiting = [] }))
  }

  /// Hands downstream its subscription, before upstream is subscribed to.
  @inlinable
  package func start() {
    let thread = currentThread()
    _ = enter(thread)
    downstream.receive(subscription: self)
    leave(thread)
  }

  // MARK: Above

  /// Makes room for one more stream.
  ///
  /// - Returns: `nil` if the stream is over.
  @inlinable
  internal func admit() -> InnerStream? {
    let stream = InnerStream()
    return streams.withLock { $0.add(stream) } ? stream : nil
  }

  @inlinable
  internal func cancelAbove() {
    for stream in streams.withLock({ $0.close() }) { stream.slot.cancel(early: true) }
    upstream.slot.cancel(early: true)
  }

  // MARK: For the owner

  @inlinable
  internal func take(_ input: Downstream.Input, from stream: InnerStream) -> Subscribers.Demand {
    if isClosed { return .none }
    if demand.isUnlimited {
      _ = downstream.receive(input)
      return .none
    }
    // What came before goes first.
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
    let isNested = isDelivering
    isDelivering = true
    demand -= 1
    demand += downstream.receive(value)
    isDelivering = isNested
    // Here, and not only in a request: what a value is answered with may be everything, too.
    if demand.isUnlimited, !wantsAll.load(ordering: .relaxed) { askForAll() }
  }

  /// Delivers what waits, as far as demand reaches.
  @inlinable
  internal func drain() {
    if waiting.isEmpty { return }
    while demand != .none, !isClosed, let next = waiting.popFirst() {
      ask(next.stream, for: .max(1))
      deliver(next.value)
    }
    finishIfDone()
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand) {
    if isClosed || demand.isUnlimited { return }
    demand += more
    if isDelivering { return }
    drain()
    if demand.isUnlimited, !isClosed { askForAll() }
  }

  @usableFromInline
  internal func askForAll() {
    guard !wantsAll.exchange(true, ordering: .sequentiallyConsistent) else { return }
    for stream in streams.withLock({ $0.streams }) { ask(stream, for: .unlimited) }
  }

  @inlinable
  internal func end(_ stream: InnerStream, _ completion: Subscribers.Completion<Downstream.Failure>) {
    let isLast = streams.withLock { $0.remove(stream) }
    if case .failure = completion { return finish(completion) }
    if isLast, upstreamHasFinished { return finishIfDone() }
    if !maxPublishers.isUnlimited { ask(upstream, for: .max(1)) }
  }

  @inlinable
  internal func endUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    finishIfDone()
  }

  @inlinable
  internal func finishIfDone() {
    if upstreamHasFinished, waiting.isEmpty, streams.withLock({ $0.streams.isEmpty }) { finish(.finished) }
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
internal struct FlatMapOuterFlow<Input, Inner: Publisher, Downstream: Subscriber>: OuterFlow
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline internal let flatMap: FlatMapCore<Downstream>
  @usableFromInline internal let transform: (Input) -> Inner

  @inlinable
  internal init(_ flatMap: FlatMapCore<Downstream>, _ transform: @escaping (Input) -> Inner) {
    self.flatMap = flatMap
    self.transform = transform
  }

  @inlinable
  internal var core: SerialSubscription { flatMap }

  @inlinable
  internal var inlet: Inlet { flatMap.upstream }

  @inlinable
  internal var demand: Subscribers.Demand { flatMap.maxPublishers }

  /// The stream has its place before the closure runs: upstream may finish inside of that.
  @inlinable
  internal func open(_ input: Input) {
    guard let stream = flatMap.admit() else { return }
    let inner = transform(input)
    if !flatMap.isClosed { inner.subscribe(Tributary(FlatMapFlow(flatMap, stream))) }
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    flatMap.endUpstream(completion)
  }
}

/// The signals of one inner stream of a ``FlatMapCore``.
@usableFromInline
internal struct FlatMapFlow<Downstream: Subscriber>: Inflow {
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
  internal var inlet: Inlet { stream }

  /// Needs no turn in the loop.
  @inlinable
  internal func arrive(_ subscription: any Subscription) {
    subscription.request(flatMap.wantsAll.load(ordering: .sequentiallyConsistent) ? .unlimited : .max(1))
  }

  @inlinable
  internal func take(_ input: Downstream.Input) -> Subscribers.Demand {
    flatMap.take(input, from: stream)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    flatMap.end(stream, completion)
  }
}

@available(*, unavailable)
extension FlatMapCore.Waiting: Sendable {}

@available(*, unavailable)
extension FlatMapOuterFlow: Sendable {}

@available(*, unavailable)
extension FlatMapFlow: Sendable {}
