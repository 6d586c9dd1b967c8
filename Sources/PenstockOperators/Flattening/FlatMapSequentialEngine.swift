// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// The engine of `flatMapSequential`: inner streams run at the same time, and are delivered one after the other.
///
/// The first stream that has not ended has the turn. Values of the other streams wait in lanes. A number of values is
/// requested from each stream in advance, and more as those are delivered, so that number bounds the values that wait
/// for each stream. The next value is requested from upstream when a stream has ended and all its values have been
/// delivered. A failure does not wait for its stream's turn.
@usableFromInline
internal struct FlatMapSequentialEngine<Value, F: Error>: ~Copyable, FlatteningEngine {
  @usableFromInline internal typealias Output = Value
  @usableFromInline internal typealias Failure = F
  @usableFromInline internal typealias Stream = NumberedStream

  /// What a stream has delivered and downstream has not received.
  @usableFromInline
  internal struct Lane {
    @usableFromInline internal var stream: NumberedStream?
    @usableFromInline internal var waiting: Deque<Value> = []
    @usableFromInline internal var hasFinished = false

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let prefetch: Subscribers.Demand
  /// The number of the next stream; accessed only where upstream delivers.
  @usableFromInline internal var nextNumber: UInt = 0
  /// The lane of the stream that has the turn, and those of the streams after it, up to the last that has delivered
  /// anything.
  @usableFromInline internal var lanes: Deque<Lane> = []
  /// The number of the stream that has the turn.
  @usableFromInline internal var turn: UInt = 0

  @inlinable
  internal init(prefetch: Subscribers.Demand) { self.prefetch = prefetch }

  /// The demand that replaces a delivered value of a stream.
  @inlinable
  internal var refill: Subscribers.Demand { prefetch.isUnlimited ? .none : .max(1) }

  /// Returns the index of a stream's lane, which is made if it does not exist.
  @inlinable
  internal mutating func lane(of stream: NumberedStream) -> Int {
    let index = Int(stream.number - turn)
    while lanes.count <= index { lanes.append(Lane()) }
    if lanes[index].stream == nil { lanes[index].stream = stream }
    return index
  }

  @inlinable
  internal static func makeStream(in shape: FlatMapSequentialSubscriber<Value, F>) -> NumberedStream {
    shape.noteOpening()
    shape.engine.nextNumber += 1
    return NumberedStream(shape.engine.nextNumber - 1, of: shape)
  }

  @inlinable
  internal static func add(_ demand: Subscribers.Demand, in shape: FlatMapSequentialSubscriber<Value, F>) {
    shape.demand += demand
    shape.proceed()
  }

  @inlinable
  internal static func take(
    _ input: Value, from stream: NumberedStream, in shape: FlatMapSequentialSubscriber<Value, F>
  ) -> Subscribers.Demand { shape.receive(input, of: stream) }

  @inlinable
  internal static func end(_ stream: NumberedStream, in shape: FlatMapSequentialSubscriber<Value, F>) {
    shape.engine.lanes[shape.engine.lane(of: stream)].hasFinished = true
    shape.proceed()
  }

  @inlinable
  internal static func endUpstream(in shape: FlatMapSequentialSubscriber<Value, F>) { shape.proceed() }

  @inlinable
  internal static func discard(in shape: FlatMapSequentialSubscriber<Value, F>) {
    // Emptied before anything is released, which may run user code.
    let lanes = exchange(&shape.engine.lanes, with: [])
    shape.noteDiscards(of: lanes.lazy.flatMap(\.waiting), .ended)
    withExtendedLifetime(lanes) {}
  }
}

@usableFromInline
internal typealias FlatMapSequentialSubscriber<Output, Failure: Error> = FlatteningSubscriber<
  FlatMapSequentialEngine<Output, Failure>, Output, Failure
>

/// Called by the owner of the loop.
extension FlatteningSubscriber where Engine == FlatMapSequentialEngine<Output, Failure> {
  @inlinable
  internal func receive(_ input: Output, of stream: NumberedStream) -> Subscribers.Demand {
    let lane = engine.lane(of: stream)
    if lane == 0, demand != .none, !isDelivering, engine.lanes[0].waiting.isEmpty {
      deliverCounted(input)
      serve()
      return engine.refill
    }
    engine.lanes[lane].waiting.append(input)
    shownWaiting.add(1)
    return .none
  }

  @inlinable
  internal func proceed() {
    if !isDelivering { serve() }
  }

  /// Delivers what waits in the lane that has the turn, passes the turn on, and finishes after the last.
  @inlinable
  internal func serve() {
    assertOwned()
    while !isClosed, !engine.lanes.isEmpty {
      if let value = nextValue() {
        deliverCounted(value)
      } else if engine.lanes[0].waiting.isEmpty, engine.lanes[0].hasFinished {
        engine.lanes.removeFirst()
        engine.turn += 1
        if !upstreamHasFinished, !maxPublishers.isUnlimited { requestNext() }
      } else {
        return
      }
    }
    // Upstream opens no further stream, since its completion has been queued after the last one was opened.
    if upstreamHasFinished, engine.lanes.isEmpty, running == 0 { finish(.finished) }
  }

  /// Takes the next value that may be delivered from its lane, and requests another one in its place.
  @inlinable
  internal func nextValue() -> Output? {
    guard demand != .none, let value = engine.lanes[0].waiting.popFirst() else { return nil }
    shownWaiting.add(-1)
    if !engine.lanes[0].hasFinished, let stream = engine.lanes[0].stream { requestLater(engine.refill, from: stream) }
    return value
  }
}

/// The publisher of `flatMapSequential`.
@usableFromInline
internal struct FlatMapSequentialPublisher<Upstream: Publisher, Inner: Publisher>: FlatteningOperator
where Inner.Failure == Upstream.Failure {
  @usableFromInline internal typealias Output = Inner.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let maxPublishers: Subscribers.Demand
  @usableFromInline internal let prefetch: Subscribers.Demand
  @usableFromInline internal let transform: (Upstream.Output) -> Inner

  @inlinable
  internal init(
    upstream: Upstream, maxPublishers: Subscribers.Demand, prefetch: Subscribers.Demand,
    transform: @escaping (Upstream.Output) -> Inner
  ) {
    self.upstream = upstream
    self.maxPublishers = maxPublishers
    self.prefetch = prefetch
    self.transform = transform
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Inner.Output == S.Input, Upstream.Failure == S.Failure {
    attach(subscriber)
  }

  @inlinable
  internal func makeCore(_ downstream: __owned SubscriberCalls) -> FlatMapSequentialSubscriber<Output, Failure> {
    .init(
      FlatMapSequentialEngine(prefetch: prefetch), name: "FlatMapSequential", maxPublishers, downstream: downstream)
  }
}
