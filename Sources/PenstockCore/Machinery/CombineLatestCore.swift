// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What is behind `combineLatest`, for any number of upstreams.
///
/// Downstream's requests are counted, and go to every upstream. A value takes the place of the one before it from
/// there; a tuple goes out for it if every lane has a value, downstream wants one, and none is being delivered. All
/// upstreams are subscribed to before downstream gets its subscription; an end that comes earlier waits for that.
@usableFromInline
package final class CombineLatestCore<Lanes: Row, Downstream: Subscriber>: TupleCore<Lanes, Downstream>
where Lanes.Values == Downstream.Input {
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var demand = Subscribers.Demand.none

  @inlinable
  package init(_ row: Lanes, to downstream: Downstream) {
    super.init(
      name: "CombineLatest", row, to: downstream, request: { unsafeDowncast($0, to: CombineLatestCore.self).add($1) })
  }

  /// Subscribes to the upstream of a given lane.
  @inlinable @inline(__always)
  package func join<P: Publisher>(_ upstream: P, _ lane: LatestLane<P.Output>) where P.Failure == Downstream.Failure {
    upstream.subscribe(Tributary(CombineLatestFlow(self, lane)))
  }

  /// Hands downstream its subscription, when all upstreams have been subscribed to.
  @inlinable
  package func start() {
    submit { self.open() }
    endJoining()
  }

  @inlinable
  internal func open() {
    downstream.receive(subscription: self)
    isOpen = true
    if let early { finish(early) }
  }

  @inlinable
  internal func take<Value>(_ input: Value, into lane: LatestLane<Value>) -> Subscribers.Demand {
    lane.replace(with: input)
    guard row.isComplete, demand != .none, !isDelivering else { return .none }
    isDelivering = true
    demand -= 1
    let more = downstream.receive(row.gather())
    isDelivering = false
    if more != .none {
      demand += more
      askAll(for: more, but: lane)
    }
    return more
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand) {
    demand += more
    askAll(for: more)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if case .failure = completion { return finish(completion) }
    finished += 1
    if finished == inlets.count { finish(completion) }
  }

  /// What belongs to the owner of the loop is left out while another thread is that.
  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    let thread = currentThread()
    let entry = loop.enter(thread)
    let isOwner = entry != .busy
    defer { if entry == .entered { leave(thread) } }
    return [
      ("downstream", downstream), ("upstreamSubscriptions", inlets.map { $0.slot.current as Any }),
      ("demand", isOwner ? demand : Optional<Subscribers.Demand>.none as Any),
      ("buffers", isOwner ? lanes.map { $0.shown as Any } : []),
    ]
  }
}

/// The signals of one upstream of a ``CombineLatestCore``.
@usableFromInline
internal struct CombineLatestFlow<Input, Lanes: Row, Downstream: Subscriber>: Inflow
where Lanes.Values == Downstream.Input {
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let combined: CombineLatestCore<Lanes, Downstream>
  @usableFromInline internal let lane: LatestLane<Input>

  @inlinable
  internal init(_ combined: CombineLatestCore<Lanes, Downstream>, _ lane: LatestLane<Input>) {
    self.combined = combined
    self.lane = lane
  }

  @inlinable
  internal var core: SerialSubscription { combined }

  @inlinable
  internal var inlet: Inlet { lane }

  /// Asks for what downstream has asked the others for meanwhile; no tuple has used any of it.
  @inlinable
  internal func begin() { combined.ask(lane, for: combined.demand) }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand { combined.take(input, into: lane) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { combined.end(completion) }
}
