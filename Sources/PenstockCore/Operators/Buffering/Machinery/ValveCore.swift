// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// The core of an operator whose second upstream opens and closes it, as a valve.
///
/// While the valve is closed nothing is delivered. If values are kept, upstream is asked for none meanwhile: so what waits
/// is never more than what had been asked for when the valve was closed. The demand that is counted is what is withheld:
/// since the valve is closed, or since upstream has not arrived.
@usableFromInline
package final class ValveCore<Input, Failure: Error>: FanInSubscription, SerialCore {
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let signals = Inlet()
  @usableFromInline internal let keeps: Bool

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var isOpen = true
  /// Values that wait until the valve is open, behind those that are being delivered.
  @exclusivity(unchecked) @usableFromInline internal var kept = Deque<Input>()
  /// Whether kept values are being delivered, by a call of this thread further up.
  @exclusivity(unchecked) @usableFromInline internal var isDraining = false
  /// The completion that waits behind the kept values.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Failure>?
  /// How many values wait, for tools.
  @usableFromInline internal let shownCount = ShownCell(0)

  @inlinable @inline(__always)
  internal convenience init<Downstream: Subscriber>(keeps: Bool, name: String, to downstream: __owned Downstream)
  where Downstream.Input == Input, Downstream.Failure == Failure {
    self.init(keeps: keeps, name: name, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(keeps: Bool, name: String, downstream: __owned SubscriberCalls) {
    self.keeps = keeps
    super.init(
      name: name, inlets: [upstream, signals], acceptsZeroDemand: false, work: TypedWork(of: ValveCore.self),
      downstream: downstream)
  }

  @usableFromInline
  package override var upstreamBase: BaseSubscription? { upstream.slot.base }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    link.phase = LinkState.Phase(upstream.slot.phase)
    link.upstreams = []
    link.add(upstream.slot.base, role: "values")
    link.add(signals.slot.base, role: "valve")
    let waiting = shownCount.value
    link.waiting = waiting
    // What is kept is still to come, though upstream has ended.
    if link.phase == .ended, waiting > 0 { link.phase = .active }
  }

  // MARK: Downstream

  @inlinable
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed { return }
    demand += more
    passOn()
  }

  /// Asks upstream for what has been withheld, if the valve is open, or lets values pass to be dropped.
  @inlinable
  internal func passOn() {
    guard isOpen || !keeps, upstream.hasBegun, demand != .none else { return }
    requestLater(takeWithheld(), from: upstream)
  }

  @inlinable
  internal func takeWithheld() -> Subscribers.Demand {
    exchange(&demand, with: .none)
  }

  // MARK: Values

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand {
    assertOwned()
    guard isOpen, kept.isEmpty, !isDraining else { return refuse(input) }
    let more = deliver(value: input)
    if more == .none || isOpen || !keeps { return more }
    // The delivery has closed the valve.
    demand += more
    return .none
  }

  /// Keeps a value, or drops it, and asks for another one in its place.
  @inlinable @inline(never)
  internal func refuse(_ input: Input) -> Subscribers.Demand {
    // Behind those that are kept a value comes while they are being delivered, in either case.
    if keeps {
      kept.append(input)
      shownCount.set(kept.count)
      return .none
    }
    noteDiscard(input, .withoutDemand)
    return .max(1)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if kept.isEmpty, !isDraining { finish(completion) } else { ending = completion }
  }

  // MARK: The valve

  @inlinable
  internal func take(signal: Bool) {
    assertOwned()
    isOpen = signal
    if signal, !isDraining { drain() }
  }

  /// Delivers what is kept, until a delivery closes the valve.
  @inlinable @inline(never)
  internal func drain() {
    isDraining = true
    while isOpen, !isClosed, let input = kept.popFirst() {
      shownCount.set(kept.count)
      demand += deliver(value: input)
    }
    isDraining = false
    if isClosed { return }
    if kept.isEmpty, let ending = ending.take() { return finish(ending) }
    passOn()
  }

  // MARK: The end

  @inlinable
  package func discard() {
    assertOwned()
    var rest = Deque<Input>()
    swap(&rest, &kept)
    shownCount.set(0)
    noteDiscards(of: rest, .ended)
  }
}

/// The signals of the main upstream of a ``ValveCore``.
@usableFromInline
internal struct ValveUpstreamHandler<Input, Failure: Error>: SubscriptionInletHandler, DirectInletHandler {
  @usableFromInline internal let valve: ValveCore<Input, Failure>

  @inlinable
  internal init(_ valve: ValveCore<Input, Failure>) { self.valve = valve }

  @inlinable
  internal var core: SerialSubscription { valve }

  @inlinable
  internal var inlet: Inlet { valve.upstream }

  @inlinable
  internal func begin() { valve.passOn() }

  @inlinable
  internal func take(_ input: Input) -> Subscribers.Demand { valve.take(input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { valve.end(completion) }
}

/// The signals of the upstream that opens and closes a ``ValveCore``.
@usableFromInline
internal struct ValveSignalHandler<Input, Failure: Error>: InletHandler {
  @usableFromInline internal let valve: ValveCore<Input, Failure>

  @inlinable
  internal init(_ valve: ValveCore<Input, Failure>) { self.valve = valve }

  @inlinable
  internal var core: SerialSubscription { valve }

  @inlinable
  internal var inlet: Inlet { valve.signals }

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

extension Publisher {
  /// A publisher of the same values, behind a valve.
  ///
  /// - Parameters:
  ///   - signals: Opens the valve with `true`, and closes it with `false`; it is open at first.
  ///   - keeps: Whether values that arrive while it is closed are kept; otherwise they are dropped.
  ///   - name: The text that `print()` prints for the operator.
  @inlinable
  package func valved<Signals: Publisher<Bool, Never>>(
    by signals: Signals, keeps: Bool, name: String
  ) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(ValvedPublisher(upstream: self, signals: signals, keeps: keeps, name: name))
  }
}

/// A publisher of its upstream's values, behind a valve.
@usableFromInline
internal struct ValvedPublisher<Upstream: Publisher, Signals: Publisher<Bool, Never>>: PortedPublisher {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let signals: Signals
  @usableFromInline internal let keeps: Bool
  @usableFromInline internal let name: String

  @inlinable
  internal init(upstream: Upstream, signals: Signals, keeps: Bool, name: String) {
    self.upstream = upstream
    self.signals = signals
    self.keeps = keeps
    self.name = name
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    let core = ValveCore(keeps: keeps, name: name, to: subscriber)
    core.beginJoining()
    core.introduce()
    // First, so that a valve that is closed by now is closed before upstream's first value.
    if !core.isClosed { signals.subscribe(InletSubscriber(ValveSignalHandler(core))) }
    if !core.isClosed {
      upstream.subscribe(oneOfSeveral: InletSubscriber(ValveUpstreamHandler(core)), upstreamOf: S.self)
    }
    core.endJoining()
  }
}
