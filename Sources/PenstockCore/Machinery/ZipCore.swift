// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What is behind `zip`, for any number of upstreams.
///
/// Downstream's requests go to every upstream, and nothing is counted: as soon as every lane has a value a tuple goes
/// out. Downstream gets its subscription when all upstreams have delivered theirs; an end that comes earlier waits for
/// that.
@usableFromInline
package final class ZipCore<Lanes: Row, Downstream: Subscriber>: FanInSubscription
where Lanes.Values == Downstream.Input {
  @usableFromInline internal let row: Lanes
  @usableFromInline internal let downstream: Downstream

  // These belong to the owner of the loop.

  /// How many subscriptions from upstream have not come.
  @exclusivity(unchecked) @usableFromInline internal var awaited: Int
  /// Whether downstream has its subscription.
  @exclusivity(unchecked) @usableFromInline internal var isOpen = false
  /// How the stream ends as soon as downstream has its subscription.
  @exclusivity(unchecked) @usableFromInline internal var early: Subscribers.Completion<Downstream.Failure>?
  /// How many upstreams have finished.
  @exclusivity(unchecked) @usableFromInline internal var finished = 0
  /// Whether something is being delivered: what that asks for is added up, and passed on when it has returned.
  @exclusivity(unchecked) @usableFromInline internal var isDelivering = false
  @exclusivity(unchecked) @usableFromInline internal var requested = Subscribers.Demand.none

  @inlinable
  package init(_ row: Lanes, to downstream: Downstream) {
    self.row = row
    self.downstream = downstream
    let inlets = row.inlets
    awaited = inlets.count
    super.init(
      name: "Zip", inlets: inlets, acceptsNothing: false,
      endsWithReturn: downstream.isRelay,
      request: { unsafeDowncast($0, to: ZipCore.self).add($1) },
      discard: { unsafeDowncast($0, to: ZipCore.self).discard() })
  }

  /// Subscribes to the upstream of a given lane.
  @inlinable @inline(__always)
  package func join<P: Publisher>(_ upstream: P, _ lane: QueueLane<P.Output>) where P.Failure == Downstream.Failure {
    if !isClosed { upstream.subscribe(Tributary(ZipFlow(self, lane))) }
  }

  @inlinable
  internal func begin() {
    awaited -= 1
    if awaited > 0 { return }
    let wanted = gatheringRequests {
      downstream.receive(subscription: self)
      return .none
    }
    isOpen = true
    if let early { finish(early) } else { askAll(for: wanted) }
  }

  /// Delivers something.
  ///
  /// - Returns: What downstream has asked for in return, and from inside of the delivery.
  @inlinable
  internal func gatheringRequests(_ deliver: () -> Subscribers.Demand) -> Subscribers.Demand {
    // A delivery inside of this one passes on what it is asked for by itself.
    let outer = (isDelivering, requested)
    isDelivering = true
    requested = .none
    let wanted = deliver() + requested
    (isDelivering, requested) = outer
    return wanted
  }

  @inlinable
  internal func take<Value>(_ input: Value, into lane: QueueLane<Value>) -> Subscribers.Demand {
    lane.append(input)
    guard row.isComplete else { return .none }
    let tuple = row.gather()
    let wanted = gatheringRequests { downstream.receive(tuple) }
    if finished > 0, lanes.contains(where: { $0.isFinished && $0.isEmpty }) { finish(.finished) }
    if isClosed { return .none }
    askAll(for: wanted, but: lane)
    return wanted
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand) {
    if isDelivering { requested += more } else { askAll(for: more) }
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>, of lane: Lane) {
    if case .failure = completion { return finish(completion) }
    lane.isFinished = true
    finished += 1
    if lane.isEmpty { finish(completion) }
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard isOpen else {
      if early == nil { early = completion }
      return
    }
    guard close() else { return }
    cancelUpstreams()
    downstream.receive(completion: completion)
  }

  @inlinable
  internal var lanes: some Sequence<Lane> { inlets.lazy.map { unsafeDowncast($0, to: Lane.self) } }

  @inlinable
  internal func discard() {
    for lane in lanes { lane.clear() }
  }
}

/// The signals of one upstream of a ``ZipCore``.
@usableFromInline
internal struct ZipFlow<Input, Lanes: Row, Downstream: Subscriber>: Inflow where Lanes.Values == Downstream.Input {
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let zip: ZipCore<Lanes, Downstream>
  @usableFromInline internal let lane: QueueLane<Input>

  @inlinable
  internal init(_ zip: ZipCore<Lanes, Downstream>, _ lane: QueueLane<Input>) {
    self.zip = zip
    self.lane = lane
  }

  @inlinable
  internal static var cancelsAfterFailure: Bool { true }

  @inlinable
  internal var core: SerialSubscription { zip }

  @inlinable
  internal var inlet: Inlet { lane }

  @inlinable
  internal func begin() { zip.begin() }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand { zip.take(input, into: lane) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { zip.end(completion, of: lane) }
}

@available(*, unavailable)
extension ZipFlow: Sendable {}
