// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// The engine of `expand`: each value is delivered, and then turned into a publisher of further values.
///
/// A value that has been delivered goes to the ``Frontier``. One thread at a time takes values from there, outside the
/// loop, as soon as fewer publishers run than are allowed. A publisher that delivers during its subscription adds to
/// the frontier that a call further up the stack empties: so there is no recursion, however long a chain of values
/// becomes.
///
/// As in `flatMap`, each inner publisher is requested one value at a time until downstream's demand is unlimited.
@usableFromInline
internal struct ExpandEngine<Value, F: Error>: ~Copyable, FlatteningEngine {
  @usableFromInline internal typealias Output = Value
  @usableFromInline internal typealias Failure = F
  @usableFromInline internal typealias Stream = InnerStream

  /// A value that waits for demand.
  @usableFromInline
  internal struct Waiting {
    @usableFromInline internal let value: Value
    /// The stream from which another value is requested in its place; `nil` for a value of upstream.
    @usableFromInline internal let stream: InnerStream?

    @inlinable
    internal init(value: Value, stream: InnerStream?) {
      self.value = value
      self.stream = stream
    }
  }

  /// The values that have been delivered but not turned into publishers yet, in order.
  @usableFromInline
  internal struct Frontier {
    @usableFromInline internal typealias Expand = (ExpandSubscriber<Value, F>, Value) -> Void

    @usableFromInline internal var values: Deque<Value> = []
    /// Whether a thread is taking values out, or will do so as soon as it has left the loop.
    @usableFromInline internal var isOpening = false
    /// Subscribes to the publisher of a value; released with the stream.
    @usableFromInline internal var expand: Expand?
    /// Whether the number of values has been so large that their storage is not kept.
    @usableFromInline internal var isLarge = false

    @inlinable
    internal init(_ expand: @escaping Expand) { self.expand = expand }
  }

  /// The demand that upstream has not met.
  @usableFromInline internal var outstanding = Subscribers.Demand.none
  /// Values are added by the owner of the loop, and taken out by the thread that opens publishers.
  @usableFromInline internal let frontier: Guarded<Frontier>
  @usableFromInline internal let opening: LeavingDuty
  @usableFromInline internal var waiting: Deque<Waiting> = []
  @usableFromInline internal var upstreamHasArrived = false
  /// Whether downstream has requested everything, so that every inner stream has been requested without limit.
  @usableFromInline internal var isUnlimited = false

  @inlinable
  internal init(expand: @escaping Frontier.Expand) {
    frontier = Guarded(Frontier(expand))
    opening = LeavingDuty { unsafeDowncast($0, to: ExpandSubscriber<Value, F>.self).openStreams() }
  }

  @inlinable
  internal var prefetch: Subscribers.Demand { .max(1) }

  @inlinable
  internal static func makeStream(in shape: ExpandSubscriber<Value, F>) -> InnerStream {
    InnerStream(of: .passUnretained(shape))
  }

  @inlinable
  internal static func add(_ demand: Subscribers.Demand, in shape: ExpandSubscriber<Value, F>) {
    shape.demand += demand
    shape.proceed()
  }

  @inlinable
  internal static func take(
    _ input: Value, from stream: InnerStream, in shape: ExpandSubscriber<Value, F>
  ) -> Subscribers.Demand {
    let isUnlimited = shape.engine.isUnlimited
    guard shape.deliverOrKeep(input, of: stream) else { return .none }
    shape.askUpstream()
    return isUnlimited ? .none : .max(1)
  }

  @inlinable
  internal static func end(_ stream: InnerStream, in shape: ExpandSubscriber<Value, F>) { shape.proceed() }

  @inlinable
  internal static func endUpstream(in shape: ExpandSubscriber<Value, F>) { shape.proceed() }

  @inlinable
  internal static func discard(in shape: ExpandSubscriber<Value, F>) {
    // Emptied before anything is released, which may run user code.
    let waiting = exchange(&shape.engine.waiting, with: [])
    let (values, expand) = shape.engine.frontier.withLock { (exchange(&$0.values, with: []), $0.expand.take()) }
    // The values of the frontier have been delivered.
    shape.noteDiscards(of: waiting.lazy.map(\.value), .ended)
    withExtendedLifetime((waiting, values, expand)) {}
  }
}

@usableFromInline
internal typealias ExpandSubscriber<Output, Failure: Error> = FlatteningSubscriber<
  ExpandEngine<Output, Failure>, Output, Failure
>

extension FlatteningSubscriber where Engine == ExpandEngine<Output, Failure> {
  // MARK: Opening; outside the loop, by one thread at a time

  /// Turns values of the frontier into publishers, until no value is left or enough publishers run.
  ///
  /// A stream that ends meanwhile is counted before its thread checks whether another thread opens the next one. So
  /// either that thread opens it, or this one sees the count.
  @inlinable
  internal func openStreams() {
    while let next = takeNext() { next.expand(self, next.value) }
  }

  @inlinable @inline(never)
  internal func takeNext() -> (value: Output, expand: ExpandEngine<Output, Failure>.Frontier.Expand)? {
    engine.frontier.withLock { frontier in
      guard !isClosed, hasRoom, let expand = frontier.expand, let value = frontier.values.popFirst() else {
        frontier.isOpening = false
        return nil
      }
      if frontier.values.isEmpty, exchange(&frontier.isLarge, with: false) { frontier.values = [] }
      // Counted together with the removal, so that a value is always counted, either in the frontier or as a stream.
      noteOpening()
      return (value, expand)
    }
  }

  /// Whether another inner publisher may run.
  @inlinable
  internal var hasRoom: Bool { maxPublishers.max.map { running < UInt(bitPattern: $0) } ?? true }

  // MARK: Called by the owner

  @inlinable
  internal func beginUpstream() {
    assertOwned()
    engine.upstreamHasArrived = true
    if !isDelivering { askUpstream() }
  }

  /// Handles a value of upstream.
  @inlinable
  internal func takeRoot(_ input: Output) -> Subscribers.Demand {
    if isClosed { return .none }
    if engine.outstanding != .none { engine.outstanding -= 1 }
    return deliverOrKeep(input, of: nil) ? takeRequest() : .none
  }

  /// Delivers a value if it has been requested; otherwise it waits.
  ///
  /// - Returns: Whether it has been delivered.
  @inlinable
  internal func deliverOrKeep(_ value: Output, of stream: InnerStream?) -> Bool {
    assertOwned()
    guard demand != .none, !isDelivering, engine.waiting.isEmpty else {
      engine.waiting.append(.init(value: value, stream: stream))
      shownWaiting.set(engine.waiting.count)
      return false
    }
    deliverAndExpand(value)
    serve()
    return true
  }

  /// Delivers a value, and has it turned into a publisher after that.
  @inlinable @inline(never)
  internal func deliverAndExpand(_ value: Output) {
    deliverCounted(value)
    if isClosed { return }
    engine.frontier.withLock { frontier in
      frontier.values.append(value)
      if frontier.values.count > 1_024 { frontier.isLarge = true }
    }
  }

  /// Delivers waiting values, as far as demand reaches, and has publishers opened.
  @inlinable
  internal func serve() {
    assertOwned()
    while demand != .none, !isClosed, let next = engine.waiting.popFirst() {
      shownWaiting.set(engine.waiting.count)
      if !engine.isUnlimited, let stream = next.stream { requestLater(.max(1), from: stream) }
      deliverAndExpand(next.value)
    }
    if isClosed { return }
    if demand.isUnlimited, !engine.isUnlimited {
      engine.isUnlimited = true
      askForAll()
    }
    if announceOpening() { performLater(engine.opening) }
    finishIfDone()
  }

  /// Makes the calling thread responsible for opening publishers, as soon as it has left the loop.
  @inlinable @inline(never)
  internal func announceOpening() -> Bool {
    engine.frontier.withLock { frontier in
      guard !frontier.isOpening, !frontier.values.isEmpty, hasRoom else { return false }
      frontier.isOpening = true
      return true
    }
  }

  /// Computes the demand that may be passed to upstream, and counts it as requested.
  ///
  /// That is no more than downstream wants. Together, the publishers that run, the values that wait to become
  /// publishers, and the values that have been requested are no more than `maxPublishers`.
  ///
  /// - Returns: What the caller has to request.
  @inlinable
  internal func takeRequest() -> Subscribers.Demand {
    assertOwned()
    guard engine.upstreamHasArrived, !upstreamHasFinished, !isClosed, engine.outstanding < demand else { return .none }
    var wanted: Subscribers.Demand = demand.isUnlimited ? .unlimited : demand - engine.outstanding
    if let most = maxPublishers.max {
      let opening = engine.frontier.withLock { $0.values.count + Int(bitPattern: running) }
      let room = most - opening - (engine.outstanding.max ?? most)
      if room <= 0 { return .none }
      wanted = min(wanted, .max(room))
    }
    engine.outstanding += wanted
    return wanted
  }

  /// Serves a change, and asks upstream, unless a delivery further up the stack will do so.
  @inlinable
  internal func proceed() {
    if isDelivering { return }
    serve()
    askUpstream()
  }

  @inlinable
  internal func askUpstream() {
    let wanted = takeRequest()
    if wanted != .none { requestLater(wanted, from: upstream) }
  }

  @inlinable
  internal func finishIfDone() {
    guard upstreamHasFinished, engine.waiting.isEmpty else { return }
    if engine.frontier.withLock({ $0.values.isEmpty && running == 0 }) { finish(.finished) }
  }
}
