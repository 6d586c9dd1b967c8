// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import Synchronization

/// The engine of `amb`, for any number of upstreams: the first upstream that delivers anything is republished, and the
/// others are cancelled.
///
/// Until then, downstream's requests go to all of them; afterwards, only to that one.
@usableFromInline
internal struct AmbEngine<Value, F: Error>: ~Copyable, FanInEngine {
  @usableFromInline internal typealias Parameter = Value
  @usableFromInline internal typealias Failure = F

  @usableFromInline internal let inlets: ContiguousArray<Inlet>
  /// Whether there is a winner.
  @usableFromInline internal let decided = AtomicCell(false)
  @usableFromInline internal var winner: Inlet?

  @inlinable
  internal init(_ count: Int) {
    inlets = ContiguousArray((0..<count).lazy.map { _ in Inlet() })
  }

  /// Whether there is a winner; read by the thread that subscribes to the others.
  @inlinable
  internal var isDecided: Bool { decided.load(ordering: .relaxed) }

  @inlinable
  internal static func add(_ demand: Subscribers.Demand, in shape: AmbSubscriber<Value, F>) {
    shape.pass(on: demand)
  }

  @usableFromInline
  internal func show(in link: inout LinkState, of shape: AmbSubscriber<Value, F>) {
    if !isDecided { link.demand = shape.demand }
  }
}

@usableFromInline
internal typealias AmbSubscriber<Parameter, Failure: Error> = FanInSubscriber<
  AmbEngine<Parameter, Failure>, Parameter, Failure
>

extension FanInSubscriber where Engine == AmbEngine<Parameter, Failure> {
  @inlinable
  internal func pass(on more: Subscribers.Demand) {
    if let winner = engine.winner { return requestLater(more, from: winner) }
    demand += more
    askAll(for: more)
  }

  /// Makes an upstream the winner if there is none.
  ///
  /// - Returns: Whether it is the winner.
  @inlinable
  internal func elect(_ source: Inlet) -> Bool {
    assertOwned()
    if let winner = engine.winner { return winner === source }
    engine.winner = source
    engine.decided.store(true, ordering: .relaxed)
    for other in inlets where other !== source { other.slot.cancel(early: true) }
    return true
  }
}

/// The signals of one upstream of `amb`.
@usableFromInline
internal struct AmbInletHandler<Input, Failure: Error>: InletHandler {
  @usableFromInline internal let amb: AmbSubscriber<Input, Failure>
  @usableFromInline internal let inlet: Inlet

  @inlinable
  internal init(_ amb: AmbSubscriber<Input, Failure>, _ inlet: Inlet) {
    self.amb = amb
    self.inlet = inlet
  }

  @inlinable
  internal var core: SerialSubscription { amb }

  @inlinable
  internal func begin() { amb.requestLater(amb.demand, from: inlet) }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand {
    amb.elect(inlet) ? amb.deliver(value: input) : .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    if amb.elect(inlet) { amb.finish(completion) }
  }
}
