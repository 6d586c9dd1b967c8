// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// What is behind `throttle(while:)`.
///
/// Two loops, because what is settled anywhere is delivered on the scheduler alone. Both upstreams and requests go through
/// the *gate*, which decides; its owner is whatever thread brings a signal. What may pass stands in a line, and for each
/// of it one block is given to the scheduler, which delivers whatever is next through ``outlet``: so the order survives a
/// scheduler that runs several at once, and no thread but the scheduler's delivers.
///
/// The gate is the outlet's upstream: a cancel reaches it that way, and the end lets it go.
@usableFromInline
internal final class ThrottleWhileCore<Downstream: Subscriber, Context: Scheduler> {
  @usableFromInline internal typealias Line = EventLine<Downstream.Input, Downstream.Failure>

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let values = Inlet()
  @usableFromInline internal let condition = Inlet()
  @usableFromInline internal let line: Line
  /// The subscription that downstream gets.
  @usableFromInline internal let outlet: TimedSubscription

  // These belong to the owner of the gate.

  @exclusivity(unchecked) @usableFromInline internal var demand = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal var isThrottled: Bool
  /// The latest value that came while the condition was true.
  @exclusivity(unchecked) @usableFromInline internal var throttled: Downstream.Input?
  /// The latest value that may pass, but has not been asked for.
  @exclusivity(unchecked) @usableFromInline internal var unwanted: Downstream.Input?
  /// Upstream's end, while a value waits for demand before it.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Downstream.Failure>?

  @inlinable
  internal init(_ downstream: Downstream, isThrottled: Bool, scheduler: Context) {
    self.downstream = downstream
    self.isThrottled = isThrottled
    self.scheduler = scheduler
    let line = Line()
    self.line = line
    outlet = TimedSubscription(
      name: "ThrottleWhile", endsWithReturn: downstream.isRelay, remembersEarlyCancel: true,
      work: SerialSubscription.TypedWork(
        request: { outlet, demand in
          if demand == .none { trap(.requestedNothing) }
          unsafeDowncast(outlet, to: TimedSubscription.self).inlet.slot.request(demand)
        },
        cancel: { outlet in
          _ = unsafeDowncast(outlet, to: TimedSubscription.self).inlet.slot.cancel(early: true)
        },
        discard: { _ in line.removeAll() }))
  }

  /// Makes the gate, and hands downstream its subscription, before anything is subscribed to.
  ///
  /// - Returns: The gate, which keeps this object.
  @inlinable
  internal func start() -> FanInSubscription {
    let gate = FanInSubscription(
      name: "ThrottleWhile", inlets: [values, condition], acceptsNothing: true, endsWithReturn: false,
      request: { _, more in self.add(more) },
      discard: { _ in self.discard() })
    _ = outlet.inlet.slot.attach(gate)
    downstream.receive(subscription: outlet)
    return gate
  }

  // MARK: What comes

  @inlinable
  internal func take(_ value: Downstream.Input) {
    if ending != nil { return }
    if isThrottled { dispose(of: displace(&throttled, with: value)) } else { pass(value) }
  }

  @inlinable
  internal func set(throttled isThrottled: Bool) {
    self.isThrottled = isThrottled
    if !isThrottled, let value = throttled.take() { pass(value) }
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand) {
    demand += more
    guard demand != .none, let value = unwanted.take() else { return }
    pass(value)
    if let ending = ending.take() { deliver(.completion(ending)) }
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    dispose(of: displace(&throttled, with: nil))
    condition.slot.cancel(early: true)
    if unwanted == nil { deliver(.completion(completion)) } else { ending = completion }
  }

  // MARK: What goes

  /// Debits a value and puts it into the line, or keeps it until it is asked for.
  @inlinable
  internal func pass(_ value: Downstream.Input) {
    guard demand != .none else {
      dispose(of: displace(&unwanted, with: value))
      return
    }
    demand -= 1
    deliver(.element(value))
  }

  @inlinable
  internal func deliver(_ event: Line.Event) {
    if line.append(event, of: outlet) { scheduler.schedule { [self] in takeTurn() } }
  }

  @inlinable
  internal func discard() {
    dispose(of: displace(&throttled, with: nil))
    dispose(of: displace(&unwanted, with: nil))
    ending = nil
  }

  // MARK: On the scheduler

  @inlinable
  internal func takeTurn() {
    // Where another block is delivering, this turn is left to that.
    outlet.submit { self.deliverNext() }
  }

  @inlinable
  internal func deliverNext() {
    guard let event = line.next() else { return }
    switch event {
    case .element(let value):
      let more = downstream.receive(value)
      if more != .none { outlet.inlet.slot.request(more) }
    case .completion(let completion):
      guard outlet.close() else { return }
      _ = outlet.inlet.slot.finish()
      downstream.receive(completion: completion)
    }
  }
}

/// The values of a `throttle(while:)`.
@usableFromInline
internal struct ThrottleValueFlow<Downstream: Subscriber, Context: Scheduler>: Inflow {
  @usableFromInline internal let throttle: ThrottleWhileCore<Downstream, Context>
  @usableFromInline internal let core: SerialSubscription

  @inlinable
  internal init(_ throttle: ThrottleWhileCore<Downstream, Context>, _ core: SerialSubscription) {
    self.throttle = throttle
    self.core = core
  }

  @inlinable
  internal var inlet: Inlet { throttle.values }

  @inlinable
  internal func begin() { core.ask(throttle.values, for: .unlimited) }

  @inlinable
  internal func take(_ input: Downstream.Input) -> Subscribers.Demand {
    throttle.take(input)
    return .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) { throttle.end(completion) }
}

/// The condition of a `throttle(while:)`.
@usableFromInline
internal struct ThrottleConditionFlow<Downstream: Subscriber, Context: Scheduler>: Inflow {
  @usableFromInline internal typealias Input = Bool
  @usableFromInline internal typealias Failure = Never

  @usableFromInline internal let throttle: ThrottleWhileCore<Downstream, Context>
  @usableFromInline internal let core: SerialSubscription

  @inlinable
  internal init(_ throttle: ThrottleWhileCore<Downstream, Context>, _ core: SerialSubscription) {
    self.throttle = throttle
    self.core = core
  }

  @inlinable
  internal var inlet: Inlet { throttle.condition }

  @inlinable
  internal func begin() { core.ask(throttle.condition, for: .unlimited) }

  @inlinable
  internal func take(_ input: Bool) -> Subscribers.Demand {
    throttle.set(throttled: input)
    return .none
  }

  /// Everything stays as it is.
  @inlinable
  internal func end(_ completion: Subscribers.Completion<Never>) {}
}
