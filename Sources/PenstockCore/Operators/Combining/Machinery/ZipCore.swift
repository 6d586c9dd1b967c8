// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The core of `zip`, for any number of upstreams.
///
/// Downstream's requests are forwarded to every upstream, and demand is not counted: a tuple is delivered as soon as
/// every lane has a value. Downstream gets its subscription when all upstreams have delivered theirs; a completion that
/// arrives earlier is held until then.
@usableFromInline
package final class ZipCore<Lanes: TupleInlets, Downstream: Subscriber>: TupleCore<Lanes, Downstream>
where Lanes.Values == Downstream.Input {
  // Accessed only by the owner of the loop.

  /// The number of upstream subscriptions that have arrived.
  @exclusivity(unchecked) @usableFromInline internal var arrived = 0
  /// Demand that was requested during a delivery: it is added up, and forwarded after the delivery has returned.
  @exclusivity(unchecked) @usableFromInline internal var requested = Subscribers.Demand.none

  /// Whether no upstream counts demand.
  @exclusivity(unchecked) @usableFromInline internal var isUncounted = false

  @usableFromInline
  package override var exceedsDemand: Bool { isUncounted }

  @inlinable
  package init(_ row: Lanes, to downstream: Downstream) {
    super.init(name: "Zip", row, to: downstream, request: { ZipCore.downcast($0).add($1) })
  }

  /// Subscribes to the upstream of a lane.
  @inlinable @inline(__always)
  package func join<P: Publisher>(_ upstream: P, _ lane: QueueInlet<P.Output>) where P.Failure == Downstream.Failure {
    if !isClosed { upstream.subscribe(InletSubscriber(ZipInletHandler(self, lane))) }
  }

  @inlinable
  internal func begin() {
    assertOwned()
    arrived += 1
    if arrived < inlets.count { return }
    isUncounted = inlets.allSatisfy { $0.slot.exceedsDemand }
    let wanted = gatheringRequests {
      downstream.receive(subscription: self)
      return .none
    }
    isOpen = true
    if let early { finish(early) } else { askAll(for: wanted) }
  }

  /// Performs a delivery.
  ///
  /// - Returns: The demand that downstream returned or requested during the delivery.
  @inlinable
  internal func gatheringRequests(_ deliver: () -> Subscribers.Demand) -> Subscribers.Demand {
    assertOwned()
    // A nested delivery forwards the demand that was requested during it.
    let outer = (isDelivering, requested)
    isDelivering = true
    requested = .none
    let wanted = deliver() + requested
    (isDelivering, requested) = outer
    return wanted
  }

  @inlinable
  internal func take<Value>(_ input: Value, into lane: QueueInlet<Value>) -> Subscribers.Demand {
    assertOwned()
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
    assertOwned()
    if isDelivering { requested += more } else { askAll(for: more) }
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>, of lane: TupleInlet) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    lane.isFinished = true
    finished += 1
    if lane.isEmpty { finish(completion) }
  }
}

/// The signals of one upstream of a ``ZipCore``.
@usableFromInline
internal struct ZipInletHandler<Input, Lanes: TupleInlets, Downstream: Subscriber>: InletHandler
where Lanes.Values == Downstream.Input {
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let zip: ZipCore<Lanes, Downstream>
  @usableFromInline internal let lane: QueueInlet<Input>

  @inlinable
  internal init(_ zip: ZipCore<Lanes, Downstream>, _ lane: QueueInlet<Input>) {
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
