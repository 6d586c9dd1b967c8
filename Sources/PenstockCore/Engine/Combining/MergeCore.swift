// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The core of `merge`, for any number of upstreams.
///
/// Each upstream is requested one value at a time until downstream's demand is unlimited. A value without demand is
/// kept with its upstream, which gets no further request meanwhile: the number of kept values is bounded by the number
/// of upstreams.
@usableFromInline
package final class MergeCore<Output, Failure: Error>: FanInSubscription, SerialCore {
  /// One upstream, and its value that waits for demand; accessed only by the owner of the loop.
  @usableFromInline
  internal final class Source: Inlet {
    @usableFromInline internal let place: Int
    @exclusivity(unchecked) @usableFromInline internal var waiting = ValueSlot<Output>()

    @_alwaysEmitIntoClient
    internal init(place: Int) { self.place = place }

    deinit {
      if waiting.isUsed { waiting.empty() }
    }
  }

  // Accessed only by the owner of the loop.

  /// The places of the upstreams with a waiting value; the lowest is served first.
  @exclusivity(unchecked) @usableFromInline internal var waiting = Places()
  /// The number of upstreams that have not finished.
  @exclusivity(unchecked) @usableFromInline internal var running: Int
  /// Whether a delivery is running: demand that is added during it is served after it has returned.
  @exclusivity(unchecked) @usableFromInline internal var isDelivering = false

  /// The number of waiting values, for tools on any thread.
  @usableFromInline internal let shownWaiting = ShownCell(0)

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.demand = demand
    if !isClosed { link.waiting = shownWaiting.value }
  }

  @inlinable @inline(never)
  internal init(_ count: Int, downstream: __owned SubscriberCalls) {
    running = count
    super.init(
      name: "Merge", inlets: ContiguousArray((0..<count).lazy.map { Source(place: $0) }), acceptsZeroDemand: true,
      work: TypedWork(of: MergeCore.self), downstream: downstream)
  }

  /// Delivers the subscription to downstream, before any upstream is subscribed to.
  @inlinable
  package func start() {
    beginJoining()
    introduce()
    if running == 0 { submit { self.finish(.finished) } }
  }

  /// Subscribes to the upstream at a place, unless the stream is over.
  @inlinable @inline(never)
  package func join<P: Publisher, Downstream: Subscriber>(
    _ upstream: P, at place: Int, upstreamOf downstream: Downstream.Type
  )
  where P.Output == Output, P.Failure == Failure, Downstream.Input == Output, Downstream.Failure == Failure {
    if isClosed { return }
    upstream.subscribe(
      oneOfSeveral: InletSubscriber(MergeInletHandler(self, source(at: place))), upstreamOf: Downstream.self)
  }

  @_alwaysEmitIntoClient
  internal func source(at place: Int) -> Source { unsafeDowncast(inlets[place], to: Source.self) }

  @inlinable
  internal func take(_ input: Output, from source: Source) -> Subscribers.Demand {
    assertOwned()
    if isClosed { return .none }
    return demand.isUnlimited ? deliver(value: input) : takeCounted(input, from: source)
  }

  /// A function of its own, so that the other path is inlined into upstream's loop.
  @inlinable @inline(never)
  internal func takeCounted(_ input: Output, from source: Source) -> Subscribers.Demand {
    if demand == .none {
      if !source.waiting.isFull { waiting.insert(source.place) }
      shownWaiting.set(waiting.count)
      dispose(of: source.waiting.replace(with: input))
      return .none
    }
    let isNested = isDelivering
    deliverCounted(input)
    if !isNested { drain() }
    return .max(1)
  }

  @inlinable
  internal func deliverCounted(_ value: Output) {
    let isNested = isDelivering
    isDelivering = true
    demand -= 1
    grant(deliver(value: value))
    isDelivering = isNested
  }

  /// Adds to downstream's demand.
  ///
  /// When the sum becomes unlimited, every upstream is requested without limit, whether the demand came from a request
  /// or was returned for a value.
  @inlinable
  internal func grant(_ more: Subscribers.Demand) {
    assertOwned()
    if more == .none || demand.isUnlimited { return }
    demand += more
    if demand.isUnlimited { askAll(for: .unlimited) }
  }

  /// Delivers waiting values, as far as demand reaches.
  @inlinable
  internal func drain() {
    assertOwned()
    if waiting.count == 0 { return }
    while demand != .none, !isClosed, let place = waiting.popMin() {
      shownWaiting.set(waiting.count)
      let source = source(at: place)
      deliverCounted(source.waiting.take())
      if !demand.isUnlimited { requestLater(.max(1), from: source) }
    }
    if running == 0, waiting.count == 0 { finish(.finished) }
  }

  @_alwaysEmitIntoClient
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed { return }
    grant(more)
    if !isDelivering { drain() }
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    if case .failure = completion { return finish(completion) }
    running -= 1
    if running == 0, waiting.count == 0 { finish(completion) }
  }

  @_alwaysEmitIntoClient
  internal func finish(_ completion: Subscribers.Completion<Failure>) {
    guard close() else { return }
    if running > 0 { cancelUpstreams() }
    deliver(ending: completion)
  }

  @_alwaysEmitIntoClient
  package func discard() {
    while let place = waiting.popMin() {
      let value = source(at: place).waiting.take()
      noteDiscard(value, .ended)
    }
  }
}

/// The signals of one upstream of a ``MergeCore``.
@usableFromInline
internal struct MergeInletHandler<Input, Failure: Error>: DirectInletHandler {
  @usableFromInline internal let merge: MergeCore<Input, Failure>
  @usableFromInline internal let source: MergeCore<Input, Failure>.Source

  @_alwaysEmitIntoClient
  internal init(_ merge: MergeCore<Input, Failure>, _ source: MergeCore<Input, Failure>.Source) {
    self.merge = merge
    self.source = source
  }

  @_alwaysEmitIntoClient
  internal static var takesRuns: Bool { true }

  @_alwaysEmitIntoClient
  internal static var cancelsAfterFailure: Bool { true }

  @_alwaysEmitIntoClient
  internal var core: SerialSubscription { merge }

  @_alwaysEmitIntoClient
  internal var inlet: Inlet { source }

  @_alwaysEmitIntoClient
  internal func begin() {
    core.requestLater(merge.demand.isUnlimited ? .unlimited : .max(1), from: source)
  }

  @_alwaysEmitIntoClient
  internal func take(_ input: Input) -> Subscribers.Demand {
    merge.take(input, from: source)
  }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    merge.end(completion)
  }
}
