// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The core of `amb`, for any number of upstreams: the first that delivers anything is republished, the others are
/// cancelled.
///
/// Until then downstream's requests go to all of them; afterwards to that one alone.
@usableFromInline
package final class AmbCore<Output, Failure: Error>: FanInSubscription, SerialCore {
  /// Whether there is a winner; read by the thread that subscribes to the others.
  @usableFromInline internal let isDecided = AtomicCell(false)

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var winner: Inlet?

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if !isDecided.load(ordering: .relaxed) { link.demand = demand }
  }

  @inlinable @inline(never)
  internal init(_ count: Int, downstream: __owned SubscriberCalls) {
    super.init(
      name: "Amb", inlets: ContiguousArray((0..<count).lazy.map { _ in Inlet() }), acceptsZeroDemand: false,
      work: TypedWork(of: AmbCore.self), downstream: downstream)
  }

  /// Delivers the subscription to downstream, before any upstream is subscribed to.
  @inlinable
  package func start() {
    beginJoining()
    introduce()
    if inlets.isEmpty { submit { self.finish(.finished) } }
  }

  /// Subscribes to the upstream at a place, unless there is a winner.
  @inlinable @inline(__always)
  package func join<P: Publisher>(_ upstream: P, at place: Int)
  where P.Output == Output, P.Failure == Failure {
    if !isClosed, !isDecided.load(ordering: .relaxed) {
      upstream.subscribe(InletSubscriber(AmbInletHandler(self, inlets[place])))
    }
  }

  /// Makes an upstream the winner if there is none.
  ///
  /// - Returns: Whether it is the winner.
  @inlinable
  internal func elect(_ source: Inlet) -> Bool {
    assertOwned()
    if let winner { return winner === source }
    winner = source
    isDecided.store(true, ordering: .relaxed)
    for other in inlets where other !== source { other.slot.cancel(early: true) }
    return true
  }

  @inlinable
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed { return }
    if let winner { return requestLater(more, from: winner) }
    demand += more
    askAll(for: more)
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Failure>) {
    guard close() else { return }
    deliver(ending: completion)
  }
}

/// The signals of one upstream of an ``AmbCore``.
@usableFromInline
internal struct AmbInletHandler<Input, Failure: Error>: InletHandler {
  @usableFromInline internal let amb: AmbCore<Input, Failure>
  @usableFromInline internal let source: Inlet

  @inlinable
  internal init(_ amb: AmbCore<Input, Failure>, _ source: Inlet) {
    self.amb = amb
    self.source = source
  }

  @inlinable
  internal var core: SerialSubscription { amb }

  @inlinable
  internal var inlet: Inlet { source }

  @inlinable
  internal func begin() { amb.requestLater(amb.demand, from: source) }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand {
    amb.elect(source) ? amb.deliver(value: input) : .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    if amb.elect(source) { amb.finish(completion) }
  }
}
