// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// The engine of an operator that its second upstream opens and closes, like a valve.
///
/// While the valve is closed nothing is delivered. If values are kept, upstream is asked for none meanwhile, so the
/// values that wait are never more than had been requested when the valve was closed. The demand that is counted here
/// is the withheld part: withheld because the valve is closed, or because upstream's subscription has not arrived.
@usableFromInline
internal struct ValveEngine<Value, F: Error>: ~Copyable, FanInEngine {
  @usableFromInline internal typealias Parameter = Value
  @usableFromInline internal typealias Failure = F

  @usableFromInline internal var isOpen = true
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let signals = Inlet()
  @usableFromInline internal let keeps: Bool

  /// Values that wait until the valve is open, after those that are being delivered.
  @usableFromInline internal var kept = Deque<Value>()
  /// Whether a call further up this thread's stack is delivering kept values.
  @usableFromInline internal var isDraining = false
  /// The completion, which waits until the kept values have been delivered.
  @usableFromInline internal var ending: Subscribers.Completion<F>?
  /// How many values wait, for tools.
  @usableFromInline internal let shownCount = ShownCell(0)

  @inlinable
  internal init(keeps: Bool) { self.keeps = keeps }

  @inlinable
  internal var inlets: ContiguousArray<Inlet> { [upstream, signals] }

  @inlinable
  internal var main: Inlet? { upstream }

  @usableFromInline
  internal func show(in link: inout LinkState, of shape: ValveSubscriber<Value, F>) {
    link.upstreams = []
    link.add(upstream.slot.base, role: "values")
    link.add(signals.slot.base, role: "valve")
    let waiting = shownCount.value
    link.waiting = waiting
    // The kept values are still to come, though upstream has ended.
    if link.phase == .ended, waiting > 0 { link.phase = .active }
  }

  /// Whether a value may pass: the valve is open, and no other value waits to be delivered first.
  @inlinable
  internal var letsPass: Bool { isOpen && kept.isEmpty && !isDraining }

  @inlinable
  internal func noteCount() { shownCount.set(kept.count) }

  @inlinable
  internal static func add(_ demand: Subscribers.Demand, in shape: ValveSubscriber<Value, F>) {
    shape.withhold(demand)
  }

  @inlinable
  internal static func discard(in shape: ValveSubscriber<Value, F>) { shape.discardKept() }
}

@usableFromInline
internal typealias ValveSubscriber<Parameter, Failure: Error> = FanInSubscriber<
  ValveEngine<Parameter, Failure>, Parameter, Failure
>

extension FanInSubscriber where Engine == ValveEngine<Parameter, Failure> {
  // MARK: Downstream

  @inlinable
  internal func withhold(_ more: Subscribers.Demand) {
    demand += more
    passOn()
  }

  /// Passes withheld demand to upstream, if the valve is open, or if values that arrive while it is closed are dropped.
  @inlinable
  internal func passOn() {
    let upstream = engine.upstream
    guard engine.isOpen || !engine.keeps, upstream.hasBegun else { return }
    let withheld = demand
    demand = .none
    requestLater(withheld, from: upstream)
  }

  // MARK: Values

  @inlinable
  internal func take(_ input: Parameter) -> Subscribers.Demand {
    assertOwned()
    guard engine.letsPass else { return refuse(input) }
    let more = deliver(value: input)
    if more == .none || engine.isOpen || !engine.keeps { return more }
    // The delivery has closed the valve.
    demand += more
    return .none
  }

  /// Keeps a value, or drops it, and asks for another one in its place.
  @inlinable @inline(never)
  internal func refuse(_ input: Parameter) -> Subscribers.Demand {
    // A value that arrives while kept values are being delivered follows them, in either case.
    if engine.keeps {
      engine.kept.append(input)
      engine.noteCount()
      return .none
    }
    noteDiscard(input, .withoutDemand)
    return .max(1)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if engine.kept.isEmpty, !engine.isDraining {
      finish(completion)
    } else {
      engine.ending = completion
    }
  }

  // MARK: The valve

  @inlinable
  internal func take(signal: Bool) {
    assertOwned()
    engine.isOpen = signal
    if signal, !engine.isDraining { drain() }
  }

  /// Delivers the kept values, until a delivery closes the valve.
  @inlinable @inline(never)
  internal func drain() {
    engine.isDraining = true
    while engine.isOpen, !isClosed, let input = engine.kept.popFirst() {
      engine.noteCount()
      demand += deliver(value: input)
    }
    engine.isDraining = false
    if isClosed { return }
    if engine.kept.isEmpty, let ending = engine.ending.take() { return finish(ending) }
    passOn()
  }

  // MARK: The end

  @inlinable
  internal func discardKept() {
    let rest = exchange(&engine.kept, with: [])
    engine.noteCount()
    noteDiscards(of: rest, .ended)
  }
}

/// The signals of the main upstream of a ``ValveEngine``.
@usableFromInline
internal struct ValveUpstreamHandler<Input, Failure: Error>: SubscriptionInletHandler, DirectInletHandler {
  @usableFromInline internal let valve: ValveSubscriber<Input, Failure>

  @inlinable
  internal init(_ valve: ValveSubscriber<Input, Failure>) { self.valve = valve }

  @inlinable
  internal var core: SerialSubscription { valve }

  @inlinable
  internal var inlet: Inlet { valve.engine.upstream }

  @inlinable
  internal func begin() { valve.passOn() }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand { valve.take(input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { valve.end(completion) }
}

/// The signals of the upstream that opens and closes a ``ValveEngine``.
@usableFromInline
internal struct ValveSignalHandler<Input, Failure: Error>: InletHandler {
  @usableFromInline internal let valve: ValveSubscriber<Input, Failure>

  @inlinable
  internal init(_ valve: ValveSubscriber<Input, Failure>) { self.valve = valve }

  @inlinable
  internal var core: SerialSubscription { valve }

  @inlinable
  internal var inlet: Inlet { valve.engine.signals }

  /// Requests without entering the loop: the request touches no state of the loop's owner.
  @inlinable
  internal func arrive(_ subscription: any Subscription) { subscription.request(.unlimited) }

  @inlinable
  internal func take(_ input: Bool) -> Subscribers.Demand {
    valve.take(signal: input)
    return .none
  }

  /// Changes nothing: the valve stays as it is.
  @inlinable
  internal func end(_ completion: Subscribers.Completion<Never>) {}
}
