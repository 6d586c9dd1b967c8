// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The core of `combineLatest`, for any number of upstreams.
///
/// Downstream's demand is counted, and forwarded to every upstream. A value replaces the previous one of its upstream;
/// a tuple is delivered if every inlet has a value, there is demand, and no delivery is running. All upstreams are
/// subscribed to before downstream gets its subscription; a completion that arrives earlier is held until then.
@usableFromInline
package final class CombineLatestCore<Inlets: TupleInlets, Failure: Error>: TupleCore<Inlets, Failure>, SerialCore {
  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.demand = demand
  }

  @inlinable @inline(never)
  internal init(_ tuple: Inlets, downstream: __owned SubscriberCalls) {
    super.init(name: "CombineLatest", tuple, work: TypedWork(of: CombineLatestCore.self), downstream: downstream)
  }

  /// Subscribes to the upstream of an inlet.
  @inlinable @inline(never)
  package func join<P: Publisher, Place: ReplacingInlet<P.Output>, Downstream: Subscriber>(
    _ upstream: P, _ inlet: Place, upstreamOf downstream: Downstream.Type
  ) where P.Failure == Failure {
    upstream.subscribe(
      oneOfSeveral: InletSubscriber(CombineLatestInletHandler(self, inlet)), upstreamOf: Downstream.self)
  }

  /// Delivers the subscription to downstream, after all upstreams have been subscribed to.
  @inlinable
  package func start() {
    submit { self.open() }
    if inlets.isEmpty { submit { self.finish(.finished) } }
    endJoining()
  }

  @inlinable
  internal func open() {
    assertOwned()
    deliver(subscription: self)
    isOpen = true
    if let early = early.takeIfFull() { finish(early) }
  }

  @inlinable
  internal func take<Place: ReplacingInlet>(_ input: Place.Value, into inlet: Place) -> Subscribers.Demand {
    assertOwned()
    // The value that is replaced may end the stream as it is freed.
    inlet.replace(with: input)
    guard !isClosed, tuple.isComplete, demand != .none, !isDelivering else { return .none }
    isDelivering = true
    demand -= 1
    let more = deliver(value: tuple.gather())
    isDelivering = false
    if more != .none {
      demand += more
      askAll(for: more, but: inlet)
    }
    return more
  }

  @_alwaysEmitIntoClient
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    demand += more
    askAll(for: more)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    finished += 1
    if finished == inlets.count { finish(completion) }
  }

  /// Leaves out what only the owner of the loop may read, if another thread is the owner.
  ///
  /// To read, the caller has to own the loop: with a free loop, another thread could enter it meanwhile. Signals of
  /// other threads that arrive while these few lines run are queued, and the owner has to perform them when it leaves,
  /// since their threads have continued. So a debugger that prints the subscription may, rarely, deliver values.
  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    let thread = currentThread()
    let entry = queue.loop.enter(thread)
    let isOwner = entry != .busy
    defer { if entry == .entered { leave(thread) } }
    return [
      ("downstream", underlying as Any), ("upstreamSubscriptions", inlets.map { $0.slot.current as Any }),
      ("demand", isOwner ? demand : Optional<Subscribers.Demand>.none as Any),
      ("buffers", isOwner ? tupleInlets.map { $0.shown as Any } : []),
    ]
  }
}

/// The signals of one upstream of a ``CombineLatestCore``.
@usableFromInline
internal struct CombineLatestInletHandler<Place: ReplacingInlet, Inlets: TupleInlets, Failure: Error>:
  DirectInletHandler
{
  @usableFromInline internal typealias Input = Place.Value

  @usableFromInline internal let combined: CombineLatestCore<Inlets, Failure>
  @usableFromInline internal let source: Place

  @_alwaysEmitIntoClient
  internal init(_ combined: CombineLatestCore<Inlets, Failure>, _ source: Place) {
    self.combined = combined
    self.source = source
  }

  @_alwaysEmitIntoClient
  internal static var takesRuns: Bool { true }

  @_alwaysEmitIntoClient
  internal var core: SerialSubscription { combined }

  @_alwaysEmitIntoClient
  internal var inlet: Inlet { source }

  /// Requests what downstream has requested from the other upstreams meanwhile; no tuple has used any of it yet.
  @_alwaysEmitIntoClient
  internal func begin() { combined.requestLater(combined.demand, from: source) }

  @_alwaysEmitIntoClient
  internal func take(_ input: Input) -> Subscribers.Demand { combined.take(input, into: source) }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>) { combined.end(completion) }
}
