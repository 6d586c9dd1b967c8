// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// An inner stream of ``FlatMapSequentialCore``, with what it has delivered before its turn.
@usableFromInline
package final class OrderedStream: InnerStream {
  /// How many streams have been opened before it.
  @usableFromInline internal let number: UInt

  @inlinable
  internal init(_ number: UInt, of flatMap: Unmanaged<FlatMapSubscription>) {
    self.number = number
    super.init(of: flatMap)
  }
}

/// The core of `flatMapSequential`: inner streams run at the same time, and are delivered one after the other.
///
/// The first stream that is not over has the turn. What the others deliver waits in lanes; each of them is requested a
/// number of values in advance, and more as those are delivered, so what waits is bounded by that number for each stream.
/// The next value is requested from upstream when a stream has been delivered to its end. A failure does not wait for its
/// stream's turn.
@usableFromInline
package final class FlatMapSequentialCore<Output, Failure: Error>: FlatMapSubscription, FlatteningCore {
  /// What a stream has delivered that downstream has not.
  @usableFromInline
  internal struct Lane {
    @usableFromInline internal var stream: OrderedStream?
    @usableFromInline internal var waiting: Deque<Output> = []
    @usableFromInline internal var hasFinished = false

    @inlinable
    internal init() {}
  }

  @usableFromInline package let prefetch: Subscribers.Demand

  /// The number of the next stream; accessed only where upstream delivers.
  @exclusivity(unchecked) @usableFromInline internal var nextNumber: UInt = 0

  // Accessed only by the owner of the loop.

  /// The lane of the stream that has the turn, and of those behind it, up to the last that has delivered anything.
  @exclusivity(unchecked) @usableFromInline internal var lanes: Deque<Lane> = []
  /// The number of the stream that has the turn.
  @exclusivity(unchecked) @usableFromInline internal var turn: UInt = 0

  @inlinable @inline(never)
  internal init(
    _ maxPublishers: Subscribers.Demand, prefetch: Subscribers.Demand, downstream: __owned SubscriberCalls
  ) {
    self.prefetch = prefetch
    super.init(
      name: "FlatMapSequential", maxPublishers, work: TypedWork(of: FlatMapSequentialCore.self), downstream: downstream)
  }

  @inlinable @inline(__always)
  package func subscribe<Inner: Publisher>(_ makeInner: () -> Inner)
  where Inner.Output == Output, Inner.Failure == Failure {
    // Made before the publisher: a value that the closure causes upstream to deliver comes behind this one.
    let stream = OrderedStream(nextNumber, of: .passUnretained(self))
    nextNumber += 1
    let inner = makeInner()
    if !isClosed { inner.subscribe(InletSubscriber(FlatMapInnerHandler(self, stream))) }
  }

  // MARK: Called by the owner

  /// What is requested from a stream in the place of a value that has been delivered.
  @inlinable
  internal var refill: Subscribers.Demand { prefetch.isUnlimited ? .none : .max(1) }

  /// The index of a stream's lane, which is made if there is none.
  @inlinable
  internal func lane(of stream: OrderedStream) -> Int {
    let index = Int(stream.number - turn)
    while lanes.count <= index { lanes.append(Lane()) }
    if lanes[index].stream == nil { lanes[index].stream = stream }
    return index
  }

  @inlinable
  package func take(_ input: Output, from stream: OrderedStream) -> Subscribers.Demand {
    if isClosed { return .none }
    let lane = lane(of: stream)
    if lane == 0, demand != .none, !isDelivering, lanes[0].waiting.isEmpty {
      deliverCounted(input)
      serve()
      return refill
    }
    lanes[lane].waiting.append(input)
    shownWaiting.add(1)
    return .none
  }

  @inlinable
  internal func deliverCounted(_ value: Output) {
    assertOwned()
    isDelivering = true
    demand -= 1
    demand += deliver(value: value)
    isDelivering = false
  }

  /// Delivers what waits in the lane that has the turn, passes the turn on, and finishes after the last.
  @inlinable
  internal func serve() {
    assertOwned()
    while !isClosed, !lanes.isEmpty {
      if let value = nextValue() {
        deliverCounted(value)
      } else if lanes[0].waiting.isEmpty, lanes[0].hasFinished {
        lanes.removeFirst()
        turn += 1
        if !upstreamHasFinished, !maxPublishers.isUnlimited { requestLater(.max(1), from: upstream) }
      } else {
        return
      }
    }
    // Upstream opens no further stream, since its completion has been queued after the last one was opened.
    if upstreamHasFinished, lanes.isEmpty, running == 0 { finish(.finished) }
  }

  /// Takes the next value that may be delivered from its lane, and requests another one in its place.
  @inlinable
  internal func nextValue() -> Output? {
    guard demand != .none, let value = lanes[0].waiting.popFirst() else { return nil }
    shownWaiting.add(-1)
    if !lanes[0].hasFinished, let stream = lanes[0].stream { requestLater(refill, from: stream) }
    return value
  }

  @inlinable
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed { return }
    demand += more
    if !isDelivering { serve() }
  }

  @inlinable
  package func endStream(_ completion: Subscribers.Completion<Failure>, of stream: OrderedStream) {
    assertOwned()
    noteEnd()
    if case .failure = completion { return finish(completion) }
    if isClosed { return }
    lanes[lane(of: stream)].hasFinished = true
    if !isDelivering { serve() }
  }

  @inlinable
  package func endUpstream(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    if !isDelivering { serve() }
  }

  @inlinable
  package func discard() {
    // Emptied before anything is released, which may run user code.
    let lanes = exchange(&lanes, with: [])
    noteDiscards(of: lanes.lazy.flatMap(\.waiting), .ended)
    withExtendedLifetime(lanes) {}
  }
}

/// The publisher of `flatMapSequential`.
@usableFromInline
package struct FlatMapSequentialPublisher<Upstream: Publisher, Inner: Publisher>: FlatteningOperator
where Inner.Failure == Upstream.Failure {
  @usableFromInline package typealias Output = Inner.Output
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline package let upstream: Upstream
  @usableFromInline internal let maxPublishers: Subscribers.Demand
  @usableFromInline internal let prefetch: Subscribers.Demand
  @usableFromInline package let transform: (Upstream.Output) -> Inner

  @inlinable
  package init(
    upstream: Upstream, maxPublishers: Subscribers.Demand, prefetch: Subscribers.Demand,
    transform: @escaping (Upstream.Output) -> Inner
  ) {
    self.upstream = upstream
    self.maxPublishers = maxPublishers
    self.prefetch = prefetch
    self.transform = transform
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Inner.Output == S.Input, Upstream.Failure == S.Failure {
    attach(subscriber)
  }

  @inlinable
  package func makeCore(_ downstream: __owned SubscriberCalls) -> FlatMapSequentialCore<Output, Failure> {
    FlatMapSequentialCore(maxPublishers, prefetch: prefetch, downstream: downstream)
  }
}
